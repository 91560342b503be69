import { FAMILIES } from '../../lib/contract/families.ts';
import type { FamilyTable, Op } from '../../lib/contract/types.ts';
import { buildRequest, type RequestInput } from '../../lib/wire/request.ts';
import type { Defect } from '../../reference/defects/defect.ts';
import { bareDeployment } from './in-process.ts';

const TABLE: FamilyTable = FAMILIES;

/** One request, and whether it goes beside the one before. */
export interface Step {
  readonly family: string;
  readonly op: Op;
  readonly input: RequestInput;
  readonly connection: object;
  /** Sent beside the step before it, without waiting for it. */
  readonly beside: boolean;
}

/** A deployment without a socket, with its answers reduced to what the specification binds. */
export function bareTarget(defect?: Defect) {
  const { seams, ask } = bareDeployment(defect === undefined ? [] : [defect], 500);
  let bulkId = '1';
  let madeId = '';
  const send = async ({ family, op, input, connection }: Step): Promise<string> => {
    const { path, body: sent, headers } = buildRequest(TABLE, family, op as never, input as never);
    const { status, headers: told, body } = await ask({ family, op, connection }, path, sent, headers);
    const location = told['location'] ?? '';
    if (op === 'bulkSubmit') bulkId = location.split('/').at(-1) ?? bulkId;
    if (op === 'create') madeId = location.split('/').at(-1) ?? madeId;
    return status >= 300 || ['update', 'bulkSubmit', 'version'].includes(op)
      ? String(status)
      : `${status} ${op === 'create' ? location : ''} ${body.replace(/"startTime":"[^"]*"/, '').replace(/bulkI[dD]":"\d+"/, '')}`;
  };
  return { send, seams, lastBulk: () => bulkId, lastMade: () => madeId };
}
