import type { Fields, Form } from '../model/history.ts';
import { type Carried, type Look, type Name, PLAIN, type Step, type StepOf, type Steps } from '../steps/step.ts';

/** Steps in their plainest form; what else a plan asks for is spread over them. */
export const create = (as: string, set: Fields = {}, name: Name = { fresh: '' }): StepOf<'create'> => ({
  ...{ step: 'create', as, name, set, form: 'json', carried: PLAIN },
});
export const update = (who: string, set: Fields = {}, name?: Name): StepOf<'update'> => ({
  ...{ step: 'update', who, set, form: 'json', carried: PLAIN },
  ...(name === undefined ? {} : { name }),
});
/** A write with its body in a form, under a Content-Type. */
export const typed = (step: StepOf<'create' | 'update'>, form: Form, type: Carried['type'] = 'plain'): Step => ({
  ...{ ...step, form, carried: { ...PLAIN, type } },
});
export const remove = (who: string, carried = PLAIN): Step => ({ step: 'delete', who, carried });
export const together = (...steps: Steps): Step => ({ step: 'together', steps });
export const look = (each: Look, twice = false): Step => ({
  ...{ step: 'look', look: each },
  ...(twice ? { twice: true as const } : {}),
});
export const read = (who: string, form: Form = 'json', carried = PLAIN): Step =>
  look({ window: 'read', who, form, carried });
export const readInView = (who: string, carried = PLAIN): Step => look({ window: 'view', who, form: 'json', carried });
export const readByName = (who: string): Step => look({ window: 'name', who, form: 'json', carried: PLAIN });
