import { checks, RETIRED_CHECKS } from '../../../conformance/catalog.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { OPS } from '../../../lib/contract/operations.ts';
import { requirements } from '../../../lib/contract/requirements.ts';
import { didYouMean } from '../../../lib/did-you-mean.ts';
import { fits, isPattern, namesIn } from '../../../lib/judge/conformance/baseline/matching.ts';
import { requirementPattern } from '../../../lib/judge/conformance/cause/failure.ts';
import type { BaselineEntry } from '../../../lib/records/baseline.ts';
import { DifferenceKind } from '../../../lib/records/vocabulary.ts';

const CHECKS = checks.map(({ id }) => id);

/** An entry that names the checks of today: an older one may name some that others took the place of. */
export function ofToday(entry: BaselineEntry): BaselineEntry {
  const names = namesIn(entry.check);
  if (names === undefined || !names.some((name) => name in RETIRED_CHECKS)) return entry;
  return { ...entry, check: [...new Set(names.flatMap((name) => RETIRED_CHECKS[name] ?? [name]))] };
}

const familyNames = () => Object.keys(FAMILIES);
const patterns = () => [
  ...new Set(
    requirements().flatMap(({ id: requirement }) => [
      requirement,
      ...familyNames().map((family) => requirementPattern({ requirement, family })),
    ]),
  ),
];

/** A name that none of the known ones fits, with the one that was probably meant. */
function unknownAmong(names: readonly string[] | undefined, known: readonly string[], what: string) {
  const isKnown = (name: string) => known.some((one) => one === name || (isPattern(name) && fits(name, one)));
  const wrong = names?.find((name) => !isKnown(name));
  return wrong === undefined ? undefined : `no ${what} ${wrong}${didYouMean(wrong, known)}`;
}

/** What is misspelled in an entry, with its member; undefined where every name is known. */
export function unknownName(entry: BaselineEntry): { readonly member: string; readonly text: string } | undefined {
  const found = [
    { member: 'requirement', text: unknownAmong(namesIn(entry.requirement), patterns(), 'requirement') },
    { member: 'operation', text: unknownAmong(namesIn(entry.operation), Object.keys(OPS), 'operation') },
    { member: 'kind', text: unknownAmong(namesIn(entry.kind), DifferenceKind.options, 'kind of difference') },
    { member: 'check', text: unknownAmong(namesIn(entry.check), CHECKS, 'check') },
    { member: 'family', text: unknownAmong(namesIn(entry.family), familyNames(), 'family') },
    { member: 'unproven', text: unknownAmong(namesIn(entry.unproven), familyNames(), 'family') },
  ];
  return found.flatMap(({ member, text }) => (text === undefined ? [] : [{ member, text }]))[0];
}
