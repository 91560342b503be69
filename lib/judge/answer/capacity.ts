import { EXIT } from '../../exit-codes.ts';
import { counted } from '../../numbers.ts';
import { present } from '../../present.ts';
import type { Reason, Statement } from '../../records/answer.ts';
import type { CapacityReport } from '../../records/load/capacity.ts';
import { some } from '../../text.ts';
import { missingOf, type Scope } from '../scope.ts';
import { joined, say } from './statement.ts';

/** The answers of all searches in a sentence. */
export function capacityStatement({ answers, verdict }: CapacityReport): Statement {
  const said = answers.flatMap(({ said: own }) => own ?? []);
  return say('capacity', verdict, said.length === 0 ? 'no step of a search was run' : joined(said));
}

/** Why a search for the capacity ends as it ends. */
export function capacityReasons(capacity: CapacityReport, scope: Scope): Reason[] {
  const { answers } = capacity;
  if (answers.length === 0) return [{ ...capacityStatement(capacity), code: EXIT.untested }];
  const left = missingOf(scope.searches, answers);
  const notRun = `${counted(left.length, 'requested search', 'requested searches')} not run: ${some(left)}`;
  return [
    ...answers
      .filter(({ verdict }) => verdict !== 'met')
      .flatMap(({ said, verdict }) =>
        said === undefined ? [] : [{ ...said, code: verdict === 'violated' ? EXIT.failed : EXIT.inconclusive }],
      ),
    ...present(left.length > 0 && { ...say('searches not run', 'not run', notRun), code: EXIT.inconclusive }),
  ];
}
