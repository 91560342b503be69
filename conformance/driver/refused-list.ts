import type { Exchange } from '../../lib/client/types.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import { answerText, isExcused } from '../kit/answer.ts';
import { bindingOf, isNoId, isOutside, isPlain } from '../kit/list/value.ts';
import { type ListQuestion, listText, subjectOf } from '../model/observation.ts';
import { PLAIN } from '../steps/step.ts';
import { askList } from './ask.ts';
import { raise, type Session } from './session.ts';

/** Characters of filters that every server and everything in front of it takes in an address. */
const LONGEST_ADDRESS = 1500;

const MOST_FILTERS = 2;

/** A list that was refused: a difference, unless something in it could be the reason, or one of its filters is refused by itself. */
export async function refusedList(session: Session, question: ListQuestion, exchange: Exchange): Promise<void> {
  // How AND is spelled is not shown, and it need not be said; nor what a target takes for an operand.
  const family = session.context.table[question.family] ?? session.context.family;
  const { filters, join } = question;
  const isOpenFilter = ({ field, operator, value }: (typeof filters)[number]) =>
    ['GT', 'LT'].includes(operator) || bindingOf(family, field, operator) !== 'stated' || !isPlain(value);
  // Nor whether a value may hold what separates the triplet, and how many filters there may be, or the same one twice.
  if (filters.some(({ value }) => value.includes('.')) || filters.length > MOST_FILTERS) return;
  if (new Set(filters.map((each) => JSON.stringify(each))).size < filters.length) return;
  // Nor how long an address may be.
  const { length } = filters.map(({ value }) => encodeURIComponent(value)).join('');
  if (length > LONGEST_ADDRESS || isExcused(exchange)) return;
  // Nor whether a number is asked for that no record can have.
  if (filters.some(({ field, value }) => isOutside(family, field, value))) return;
  // Nor whether what is no id is looked for among ids; a fault of the server is one for any operand.
  if (exchange.status < 500 && filters.some(({ field, value }) => isNoId(family, field, value))) return;
  const wasTaken = (like: ListQuestion) => session.lessons.taken.has(`list ${listKey(like)}`);
  if ((join === 'and' || filters.some(isOpenFilter)) && !wasTaken(question)) return;
  if (await isRefusedAlone(session, question)) return;
  // Taken without saying how the filters are joined: then that is what is refused.
  const isJoin = join !== undefined && wasTaken({ ...question, join: undefined });
  const ofFilters = isJoin ? 'LST-FTYPE' : 'LST-FILT';
  raise(session, {
    requirement: filters.length === 0 ? opRequirementId(question.family, 'list') : ofFilters,
    about: { kind: 'refused', operation: 'list', subject: subjectOf(question) },
    family: question.family,
    expected: `a list to be taken: ${listText(question)}`,
    observed: answerText(exchange),
  });
}

/** True if one of several filters is refused by itself: then its operand is the reason, and not that there are several. */
async function isRefusedAlone(session: Session, { family, filters }: ListQuestion): Promise<boolean> {
  if (filters.length < 2) return false;
  for (const filter of filters) {
    const alone = { window: 'list', family, filters: [filter] } as const;
    const { refused, shown } = await askList(session, alone, { paging: 'link', carried: PLAIN });
    if (refused !== undefined && shown.pages.length === 0) return true;
  }
  return false;
}

/** Under which `lessons.taken` tells that such a list was taken. */
export const listKey = ({ filters, join, sort }: ListQuestion) =>
  [...filters.map(({ field, operator }) => `${field}.${operator}`), join, sort?.field].join(' ');
