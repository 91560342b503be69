import type { ErsClient } from '../../lib/client/types.ts';
import type { HttpMethod } from '../../lib/contract/types.ts';
import type { Dialect } from '../../lib/records/conformance.ts';
import { answerText } from '../kit/answer.ts';
import type { Learned } from '../kit/values/learned.ts';

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** What the first writes to a target showed of it, as facts of its dialect: a refusal of a value is a fact and no failure. */
export function learnedFacts(learned: Learned, client: Pick<ErsClient, 'habit' | 'options'>): Dialect {
  const { table } = client.options;
  const facts: Dialect = {};
  const add = (id: string, question: string, answer: unknown, evidence: readonly string[] = []) => {
    facts[id] = { question, answer, evidence: [...evidence] };
  };
  const ofMember = (key: string, rest = '') => `values.${key.replace(' ', '.')}${rest}`;
  for (const [family, { form, refused, kept, updateRefused }] of learned.families) {
    const tried = refused.map(({ source, exchange }) => `${source}: ${answerText(exchange)}`);
    const evidence = [...refused.map(({ exchange }) => exchange.id), ...(kept === undefined ? [] : [kept.exchange.id])];
    const root = table[family]?.roots.resource ?? family;
    const isCopied = form !== undefined && Object.keys(form.members).length > 0;
    const template = isCopied ? { template: { [root]: form.members } } : {};
    const answer = { taken: form?.source ?? 'none', ...(tried.length === 0 ? {} : { refused: tried }), ...template };
    add(`create.form.${family}`, `form of a create of ${family} that is taken`, answer, evidence);
    if (kept !== undefined) add(`delete.proof.${family}`, `removal of a first record of ${family}`, kept.why, evidence);
    const refusal = updateRefused && `none: ${answerText(updateRefused)}`;
    if (updateRefused) add(`update.form.${family}`, `form of an update of ${family}`, refusal, [updateRefused.id]);
  }
  for (const [key, { refused, longest, form }] of learned.domains) {
    if (form === 'text' && refused.length === 0 && longest === null) continue;
    const answer = form === 'text' ? { refusedCharacters: refused, longest: longest ?? 'no limit seen' } : form;
    add(ofMember(key), `texts that ${key} takes`, answer);
  }
  for (const [key, paths] of learned.unkept)
    add(ofMember(key, '.unkept'), `members inside of ${key} that are taken and not shown; no check sends them`, paths);
  for (const key of learned.fixedValues) add(ofMember(key), `other listed values of ${key}`, 'refused');
  for (const key of learned.uniqueReferences) add(ofMember(key, '.unique'), `two records with one ${key}`, 'refused');
  for (const method of METHODS) {
    const habit = client.habit(method);
    if (Object.keys(habit).length > 0) add(`headers.${method}`, `headers that a ${method} is taken with`, habit);
  }
  const unsteady = 'milliseconds after a write during which some answers show it and others do not; looks wait as long';
  if (learned.unsteadyMs > 0) add('visibility.unsteady-ms', unsteady, learned.unsteadyMs);
  const { hasSessions, refusal, other, effective } = learned.anc;
  const sessions = hasSessions ? 'yes' : `none: ${other ?? (refusal === undefined ? 'refused' : answerText(refusal))}`;
  if (hasSessions !== undefined)
    add('anc.sessions', 'sessions of the endpoints of the pool', sessions, refusal && [refusal.id]);
  for (const [op, status] of Object.entries(effective))
    add(`anc.effective-${op}`, `answer to an ${op} that took effect`, `status ${status}`);
  return facts;
}
