import type { Failed } from './causes.ts';
import type { Told } from './sentence.ts';
import { headerOf, type Shown, sentIn } from './shown.ts';

/** The header that a failure is about, if its request leaves that out. */
export function headerLeftOut(subject: string, shown: Shown): string | undefined {
  const header = headerOf(subject);
  return header === undefined || sentIn(shown, header) !== undefined ? undefined : header;
}

/** The headers that failures are about, as they were sent: `without the header accept or content-type`, `with Accept: application/xml`. */
export function headerWords({ failure: { subject } }: Failed, alike: readonly Told[]): string {
  const header = headerOf(subject);
  if (header === undefined) return '';
  const absent = new Set(alike.flatMap((one) => headerLeftOut(one.failure.subject, one.shown) ?? []));
  if (absent.size > 0) return ` without the header ${[...absent].join(' or ')}`;
  const sent = alike.map(({ shown }) => sentIn(shown, header)).find((each) => each !== undefined);
  // A refused type is the whole fault; of what is taken, the condition or the value tells.
  const isRefused = alike.some(({ shown }) => shown.refused);
  const isUsual = subject.startsWith('media type ') && !isRefused && /^application\/(json|xml)$/.test(sent?.[1] ?? '');
  // Which parameter it is matters to none of those that are refused for having one.
  return sent === undefined || isUsual ? '' : ` with ${sent.join(': ').replace(/;.*/, ';…')}`;
}
