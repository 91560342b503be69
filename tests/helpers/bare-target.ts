import { FAMILIES } from '../../lib/contract/families.ts';
import type { FamilyTable, Op } from '../../lib/contract/types.ts';
import { buildRequest, type RequestInput } from '../../lib/wire/request.ts';
import type { Defect } from '../../reference/defects/defect.ts';
import { createDeployment, type Deployment } from '../../reference/deployment.ts';
import type { Call } from '../../reference/http/wire.ts';
import { routeOf } from '../../reference/routes.ts';

const TABLE: FamilyTable = FAMILIES;
const AUTHORIZATION = `Basic ${Buffer.from('u:p').toString('base64')}`;

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
  const deployment: Deployment = createDeployment({
    table: TABLE,
    sessions: 500,
    seed: 1,
    csrf: false,
    credentials: { username: 'u', password: 'p' },
    deviations: defect === undefined ? [] : [defect],
  });
  let bulkId = '1';
  let madeId = '';
  const send = async ({ family, op, input, connection }: Step): Promise<string> => {
    const spec = buildRequest(TABLE, family, op as never, input as never);
    const [path = '', query = ''] = spec.path.split('?');
    const headers = Object.fromEntries(
      Object.entries(spec.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const call: Call = {
      request: {
        method: spec.method,
        path,
        query,
        origin: 'http://t',
        connection,
        headers: { ...headers, authorization: AUTHORIZATION },
        body: async () => spec.body ?? '',
      },
      route: routeOf(family, op),
      params: { id: input.id ?? '', name: input.name ?? '', bulkid: input.bulkId ?? '' },
    };
    const answer = await deployment.seams.front.handle(call);
    const body = String(answer.body);
    const location = answer.headers['Location'] ?? '';
    if (op === 'bulkSubmit') bulkId = location.split('/').at(-1) ?? bulkId;
    if (op === 'create') madeId = location.split('/').at(-1) ?? madeId;
    return answer.status >= 300 || ['update', 'bulkSubmit', 'version'].includes(op)
      ? String(answer.status)
      : `${answer.status} ${op === 'create' ? location : ''} ${body.replace(/"startTime":"[^"]*"/, '').replace(/bulkI[dD]":"\d+"/, '')}`;
  };
  return { send, seams: deployment.seams, lastBulk: () => bulkId, lastMade: () => madeId };
}
