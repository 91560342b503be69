import { describe, expect, it } from 'vitest';
import { openEvidence } from '../../../conformance/engine/evidence/evidence.ts';
import type { ExchangeRecord } from '../../../lib/records/conformance.ts';
import { restsOn } from '../../../lib/records/rests-on.ts';
import { anExchange } from '../../helpers/a-run.ts';

let count = 0;
type More = Partial<ExchangeRecord> & { readonly made?: string };
function exchange(method: string, path: string, { made, ...rest }: More = {}): ExchangeRecord {
  count += 1;
  return anExchange({
    ...{ id: `e-${count}`, at: `2026-01-01T00:00:00.${String(count).padStart(3, '0')}Z`, family: 'sgt' },
    ...{ method, path: `/ers/config/${path}`, status: method === 'POST' ? 201 : 200, responseBody: '' },
    responseHeaders: made === undefined ? [] : [['Location', `https://x/ers/config/sgt/${made}`]],
    ...rest,
  });
}

const theme = exchange('POST', 'portaltheme', { made: 'theme-id-1' });
const other = exchange('POST', 'sgt', { made: 'other-id-1' });
const create = exchange('POST', 'sgt', { made: 'own-id-1', requestBody: '{"Sgt":{"name":"a","theme":"theme-id-1"}}' });
const bulk = (requestBody: string) => exchange('PUT', 'sgt/bulk/submit', { status: 202, requestBody });
const both = bulk('{"operationType":"update","id":["own-id-1","other-id-1"]}');
const change = exchange('PUT', 'sgt/own-id-1', { requestBody: '{"Sgt":{"name":"b"}}' });
const changed = exchange('PUT', 'sgt/other-id-1', { requestBody: '{"Sgt":{"name":"c"}}' });
const refused = exchange('DELETE', 'sgt/own-id-1', { status: 409 });

/** Evidence of these exchanges, and the ids of those that are written. */
function holding(...sent: readonly ExchangeRecord[]) {
  const written: string[] = [];
  const evidence = openEvidence(({ id }) => written.push(id));
  for (const one of sent) evidence.capture({ id: one.id, method: one.method, bytes: 1, record: () => one });
  return { evidence, written };
}

describe('what a request rests on', () => {
  it('is all that was written to its record, and the creates alone of the records beside it', () => {
    const all = restsOn([refused], [theme, other, create, both, change, changed]);
    expect(all).toEqual([theme, other, create, both, change]);
  });

  it('is the bulk request that made a record, which is known by its name', () => {
    const submit = bulk('{"operationType":"create","name":"name-1"}');
    const names = new Map([['own-id-9', 'name-1']]);
    expect(restsOn([exchange('GET', 'sgt/own-id-9')], [other, submit], { names })).toEqual([submit]);
  });

  it('is kept for as long as what was written stands, whatever else is dropped', () => {
    const gone = exchange('POST', 'sgt', { made: 'gone-id-1' });
    const removal = exchange('DELETE', 'sgt/gone-id-1', { status: 204 });
    const { evidence, written } = holding(create, change, gone, removal, refused);
    evidence.drop([create.id, change.id, gone.id, removal.id]);
    evidence.write(evidence.withWrites([refused.id]));
    evidence.write([gone.id]);
    expect(written).toEqual([create.id, change.id, refused.id]);
  });

  it('is kept for a failure whose request another result had written before', () => {
    const { evidence, written } = holding(create, change, refused);
    evidence.write([refused.id]);
    evidence.write(evidence.withWrites([refused.id]));
    expect(written).toEqual([refused.id, create.id, change.id]);
  });

  it('is what the grounds of a failure name, and what its answer shows', () => {
    const responseBody = '{"SearchResult":{"resources":[{"id":"other-id-1"}]}}';
    const list = exchange('GET', 'sgt?size=2', { responseBody });
    const { evidence } = holding(create, other, change, list);
    const write = { kind: 'create', family: 'sgt', id: 'own-id-1', sent: {}, form: 'json', end: 'done' } as const;
    expect(evidence.withWrites([list.id], { writes: [write] })).toEqual([create.id, change.id, list.id]);
    expect(evidence.withWrites([list.id])).toEqual([other.id, list.id]);
  });
});
