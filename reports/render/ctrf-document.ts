import { inert } from '../../lib/text.ts';

export type Status = 'passed' | 'failed' | 'skipped' | 'other';

/** What a document in the Common Test Report Format holds beside its fixed members; moments in milliseconds. */
interface Parts {
  readonly timestamp?: string | undefined;
  readonly version?: string | undefined;
  readonly start: number;
  readonly stop: number;
  readonly extra: object;
  readonly tests: readonly { readonly status: Status }[];
  readonly insights?: object;
}

/** A document in the Common Test Report Format, every text of it inert. */
export function ctrfText({ timestamp, version, start, stop, extra, tests, insights }: Parts, longest?: number): string {
  const number = (status: Status) => tests.filter((test) => test.status === status).length;
  const counts = {
    passed: number('passed'),
    failed: number('failed'),
    skipped: number('skipped'),
    pending: 0,
    other: number('other'),
  };
  const document = {
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
    timestamp,
    generatedBy: 'ers-harness',
    results: {
      tool: { name: 'ers-harness', version },
      summary: { tests: tests.length, ...counts, start, stop, extra },
      tests,
    },
    insights,
  };
  return `${JSON.stringify(inert(document, longest), null, 2)}\n`;
}
