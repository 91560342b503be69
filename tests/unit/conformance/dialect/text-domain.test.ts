import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnDomain } from '../../../../conformance/dialect/trial/text-domain.ts';
import { unsteadyMs } from '../../../../conformance/dialect/trial/trial.ts';
import { tryUpdate } from '../../../../conformance/dialect/trial/try-update.ts';
import type { CheckContext } from '../../../../conformance/kit/check.ts';
import { ANY_TEXT, KINDS, takesText, textOfKinds } from '../../../../conformance/kit/values/domain.ts';
import { memberKey, openLearned } from '../../../../conformance/kit/values/learned.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { SAMPLE_OBJECTS } from '../../../../lib/contract/samples.ts';
import { type Fields, type Rules, trialTarget } from '../../../helpers/trial-target.ts';

/** A target that takes what the rule says, and counts what it was asked. */
function target(rule: (text: string) => boolean) {
  let asked = 0;
  const take = async (text: string) => {
    asked += 1;
    return rule(text);
  };
  return { take, asked: () => asked };
}

const small = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([member, value]) => [member.toLowerCase(), value]));

describe('what first writes learn of the texts of a member', () => {
  it('takes one question where everything is taken', async () => {
    const { take, asked } = target(() => true);
    expect(await learnDomain(take)).toEqual(ANY_TEXT);
    expect(asked()).toBe(1);
  });

  it('is the alphabet of any target that refuses kinds of characters, and never more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...KINDS]), fc.constantFrom(null, 32, 64, 255), async (refused, longest) => {
        const real = { ...ANY_TEXT, refused, longest };
        const { take, asked } = target((text) => takesText(real, text));
        const learned = (await learnDomain(take)) ?? ANY_TEXT;
        expect(asked()).toBeLessThan(70);
        for (const kind of KINDS) {
          const text = textOfKinds([kind]);
          if (takesText(learned, text)) expect(takesText(real, text)).toBe(true);
        }
        expect(takesText(real, 'a'.repeat(learned.longest ?? 1000))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is Base64 where a plain word is refused and a style sheet is not, and nothing where neither is taken', async () => {
    const { take } = target((text) => Buffer.from(text, 'base64').toString().startsWith('/*'));
    expect(await learnDomain(take)).toMatchObject({ form: 'base64' });
    expect(await learnDomain(target(() => false).take)).toBeUndefined();
  });

  it('counts what the caller writes before the text', async () => {
    const { take } = target((text) => text.length + 20 <= 32);
    expect(await learnDomain(take, 20)).toMatchObject({ longest: 32 });
  });

  it.each([
    ['a create takes, if an update of it is an error of the server', true, true],
    ['neither a create nor an update takes', true, false],
    ['no update takes, if a gateway forbids it for a sign', 403, false],
  ] as const)('is what %s', async (_, refusal, isTaken) => {
    const refuses: Rules['refuses'] = ({ op, fields }) =>
      op === 'update' && `${fields['description']}`.includes("'") && refusal;
    const { context, send } = trialTarget('hotspotportal', { refuses });
    const sent = { name: 'cfmone', description: 'made by' };
    await send('create', { fields: sent });
    const learned = openLearned();
    const own = { family: 'hotspotportal', id: 'r1', sent };
    expect(await tryUpdate(context, learned, own, async () => (isTaken ? {} : undefined))).toBeUndefined();
    const domain = learned.domains.get(memberKey('hotspotportal', 'description')) ?? ANY_TEXT;
    expect(takesText(domain, "it's")).toBe(isTaken);
  });

  it.each([
    ['lacks', ({ bannerTitle: _, ...others }: Fields) => others, ['mobileLogoImage']],
    ['writes in small letters', small, ['bannerTitle', 'mobileLogoImage']],
  ])('takes an inner member for known that a record %s only if its letters come back', async (_, kept, known) => {
    const inner = ({ globalCustomizations, ...others }: Fields) => ({
      ...others,
      globalCustomizations: kept(globalCustomizations as Fields),
    });
    const stores = ({ customizations, ...others }: Fields) => ({
      ...others,
      ...(customizations === undefined ? {} : { customizations: inner(customizations as Fields) }),
    });
    const { context, send } = trialTarget('hotspotportal', { stores });
    const sent = { name: 'cfmone', customizations: SAMPLE_OBJECTS['customizations']?.[0] };
    await send('create', { fields: sent });
    const learned = openLearned();
    await tryUpdate(context, learned, { family: 'hotspotportal', id: 'r1', sent }, async () => ({}));
    const [sample] = learned.samples.get(memberKey('hotspotportal', 'customizations')) ?? [];
    expect(Object.keys((sample as Record<string, Fields>)['globalCustomizations'] ?? {})).toEqual(known);
    const unkept = known.includes('bannerTitle') ? undefined : ['customizations.globalCustomizations.bannerTitle'];
    expect(learned.unkept.get(memberKey('hotspotportal', 'customizations'))).toEqual(unkept);
  });
});

/** Asks a simulated target, at which each read takes 2 ms; `shows`: whether the n-th read, so many milliseconds after the write, shows it over one of the connections. */
async function ask(shows: (nowMs: number, read: number, connection: number) => boolean) {
  let [nowMs, read, open] = [0, 0, 0];
  const look = async () => {
    const connection = open;
    open += 1;
    nowMs += 2;
    read += 1;
    const status = shows(nowMs, read, connection) ? 200 : 404;
    await Promise.resolve();
    open -= 1;
    return { status };
  };
  const clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
  const eventually: CheckContext['eventually'] = async (once) => {
    for (; nowMs < 2000; nowMs += 20) {
      const value = await once();
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const context = { send: look, eventually, family: FAMILIES.sgt } as unknown as CheckContext;
  const waitMs = await unsteadyMs({ context, clock, visibilityMs: 2000 }, { family: 'sgt', id: 'x' });
  return { waitMs, reads: read };
}

describe('how long looks at a write go back and forth', () => {
  it('is nothing where each look shows it, and costs few reads', async () => {
    expect(await ask(() => true)).toEqual({ waitMs: 0, reads: 16 });
  });

  it('is nothing where it shows late and stays, or never ceases: no wait mends that', async () => {
    expect((await ask((nowMs) => nowMs > 300)).waitMs).toBe(0);
    expect((await ask((_, read) => read % 2 === 0)).waitMs).toBe(0);
  });

  it.each([80, 250, 900])('covers the %s ms in which one of two nodes does not know of it', async (lateMs) => {
    const { waitMs } = await ask((nowMs, read) => nowMs > lateMs || read % 2 === 0);
    expect(waitMs).toBeGreaterThanOrEqual(lateMs);
    expect(waitMs).toBeLessThan(2 * lateMs);
  });

  it('covers what a cache hides for a while', async () => {
    let heldMs = Number.POSITIVE_INFINITY;
    const { waitMs } = await ask((nowMs, read) => {
      const isHeld = nowMs > heldMs && nowMs < heldMs + 250;
      const isShown = isHeld || nowMs > 900 || read % 3 === 0;
      if (isShown && !isHeld) heldMs = nowMs;
      return isShown;
    });
    expect(waitMs).toBeGreaterThanOrEqual(900);
  });

  it('covers what one node does not know of, if each connection leads to one of them', async () => {
    const ofFirst = await ask((nowMs, _, connection) => nowMs > 250 || connection > 0);
    const ofOthers = await ask((nowMs, _, connection) => nowMs > 250 || connection === 0);
    for (const { waitMs } of [ofFirst, ofOthers]) expect(waitMs).toBeGreaterThanOrEqual(250);
  });
});
