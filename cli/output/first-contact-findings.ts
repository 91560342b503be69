import { answerText } from '../../conformance/kit/answer.ts';
import { creatable } from '../../conformance/kit/fields.ts';
import { KINDS, type TextDomain } from '../../conformance/kit/values/domain.ts';
import { creatingRefused } from '../../conformance/kit/values/learned.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { type FamilyTable, offers } from '../../lib/contract/types.ts';
import { EXIT } from '../../lib/exit-codes.ts';
import { groupBy } from '../../lib/group-by.ts';
import { present } from '../../lib/present.ts';
import { MAY_NOT_WRITE } from '../../lib/said.ts';
import { withoutIds } from '../../lib/text.ts';
import { isForbidden } from '../../lib/wire/answer.ts';
import type { FirstContact } from '../stages/first-contact.ts';
import { bad, type Finding, good } from './finding.ts';

const TABLE: FamilyTable = FAMILIES;

function aboutFamily({ learned, services, closed }: FirstContact, name: string): Finding {
  const service = services.get(name);
  if (service?.state !== 'served') return good(name, `none: ${service?.reason ?? 'the family was not asked'}`);
  const trial = learned.families.get(name);
  const why = closed.get(name);
  if (why !== undefined) {
    const right = trial?.kept && isForbidden(trial.kept.exchange) ? 'give the account the right to delete' : 'mend it';
    return bad(name, why, EXIT.residue, `a run makes no further record there: remove this one, and ${right}`);
  }
  if (trial?.form === undefined) {
    const refused = creatingRefused(trial);
    if (refused === undefined) return bad(name, 'none was tried', EXIT.untested);
    const mend = isForbidden(refused)
      ? `${MAY_NOT_WRITE}, or run with --mode read-only`
      : 'mend what it says, or give a record to start from with --template FILE';
    return bad(name, `every form of a create was refused: ${answerText(refused)}`, EXIT.untested, mend);
  }
  const { form, updateRefused } = trial;
  const changed = offers(TABLE, name, 'update') && updateRefused === undefined ? ', changed' : '';
  const found = `made from ${form.source}${changed}, removed and proven gone`;
  if (updateRefused === undefined) return good(name, found);
  return bad(name, `${found}; no update is taken: ${answerText(updateRefused)}`, EXIT.untested);
}

/** One line for families of which the same is to be told, but for their names and the ids of their records. */
const together = (families: readonly Finding[]): readonly Finding[] =>
  [...groupBy(families, ({ subject, found }) => withoutIds(found.replaceAll(subject, '')))].flatMap(([, alike]) =>
    alike.slice(0, 1).map((one) => ({ ...one, subject: `writes to ${alike.map((each) => each.subject).join(', ')}` })),
  );

const spelled = (kinds: readonly string[]): string =>
  kinds.map((kind) => (kind === ' ' ? 'blank' : kind)).join(' ') || 'nothing else';

/** What a member takes, in words: the shorter of what it takes and what it refuses. */
function domainText({ refused, longest, form }: TextDomain): string {
  if (form === 'base64') return 'only the Base64 text of a style sheet';
  if (form === 'reference') return 'only the id of a record that is there';
  const taken = KINDS.filter((kind) => !refused.includes(kind));
  const signs =
    refused.length * 2 > KINDS.length ? `only letters, digits and ${spelled(taken)}` : `not ${spelled(refused)}`;
  return present(refused.length > 0 && signs, longest !== null && `at most ${longest} characters`).join(', ');
}

function restrictions({ learned }: FirstContact): readonly string[] {
  const members = groupBy(learned.domains, ([, domain]) => domainText(domain));
  return [...members].flatMap(([text, own]) => (text === '' ? [] : [`${own.map(([key]) => key).join(', ')}: ${text}`]));
}

const headers = ({ dialect }: FirstContact): string =>
  Object.entries(dialect)
    .filter(([id]) => id.startsWith('headers.'))
    .map(([id, { answer }]) => `${id.slice('headers.'.length)} is taken with ${JSON.stringify(answer)}`)
    .join('; ') || 'the usual ones are taken';

export const NOT_TRIED = 'not tried: it needs --endpoints and --policy, and --mode full or no mode at all';

function sessions({ learned }: FirstContact, hasPool: boolean): string {
  if (!hasPool) return NOT_TRIED;
  const { hasSessions, refusal, effective } = learned.anc;
  const answers = Object.entries(effective).map(([op, status]) => `, ${op} answers ${status} and takes effect`);
  const refused = refusal === undefined ? '' : ` (${answerText(refusal)})`;
  if (hasSessions === undefined) return `apply by IP address could not be tried${refused}${answers.join('')}`;
  const without = `no endpoint has a session${refused}`;
  return `${hasSessions ? 'endpoints have sessions' : without}${answers.join('')}`;
}

/** What first contact showed, and what a run could test: one line for each thing that matters. */
export function firstContactFindings(contact: FirstContact, hasPool: boolean, medianMs: number): readonly Finding[] {
  const families = creatable(TABLE).map((name) => aboutFamily(contact, name));
  const { asked, served } = contact.connections;
  const open = families.filter((finding) => finding.ok && !finding.found.startsWith('none')).length;
  const texts = open > 0 ? 'every text that a run sends is taken' : 'not tried: no record could be made';
  return [
    ...together(families),
    good('values', restrictions(contact).join('; ') || texts),
    good('headers', headers(contact)),
    good('ANC', sessions(contact, hasPool)),
    good('largest page', String(contact.dialect['page.largest-size']?.answer ?? 'unknown')),
    good(
      'next page',
      `its link names ${contact.dialect['page.link-host']?.answer ?? 'nothing: no list that was asked has two pages'}`,
    ),
    good('connections', served < asked ? `refused beyond ${served}` : `${asked} at once are taken`),
    good('pace', `median of ${Math.round(medianMs)} ms for each request`),
    good('a run', `can write to ${open} of the ${families.length} families that take writes`),
  ];
}
