import { type Ask, ancBody, type Served } from './ask.ts';

/** Ids, ports and times differ from run to run: they are replaced by what they are. */
function normal(text: string): string {
  return text
    .replace(/:\d{4,5}\//g, ':PORT/')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\b1[0-9]{12}\b/g, 'EPOCH')
    .replace(/\w{3} \w{3} \d{2} [\d:]{8} UTC \d{4}/g, 'START');
}

/** A walk on which each variation shows; its transcript is what somebody outside can tell of it. `each` is told of each line. */
export async function tour(
  served: Served,
  each: (line: string, at: number) => void = () => undefined,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const add = (line: string) => each(line, lines.push(line) - 1);
  const note: Ask = async (method, path, body, headers) => {
    const reply = await served.ask(method, path, body, headers);
    const location = normal(reply.headers.location ?? '');
    const { connection = '' } = reply.headers;
    add(`${method} ${normal(path)} -> ${reply.status} ${connection} ${location} ${normal(reply.text)}`);
    return reply;
  };
  await lists(note);
  await special(note, served);
  await limits(note);
  await together(served, add);
  return lines;
}

const sgt = (name: string, value: number, more: object = {}) => ({ Sgt: { name, value, ...more } });

/** Names and texts with signs, and lists of them. */
async function lists(note: Ask): Promise<void> {
  const made = ['', '1', '.b', '%c', '_d'].map((suffix, at) =>
    sgt(`t  ö${suffix}`, 300 + at, { ...(at !== 2 && { description: ` D${at} é ` }), propogateToApic: true }),
  );
  for (const group of made) await note('GET', `sgt/${(await note('POST', 'sgt', group)).id() || 'none'}`);
  const two = 'filter=name.CONTAINS.e&filter=value.GT.50';
  for (const query of [
    ...['filter=name.GT.Em', 'filter=description.NCONTAINS.e', `${two}&filterType=or&size=2`, `${two}&filterType=AND`],
    ...['sortasc=description', 'sortdsc=name', 'page=99', 'size=500'],
  ])
    await note('GET', `sgt?${query}`);
  for (const group of [sgt('t  ö', 300), sgt('a small letter', 903)]) await note('POST', 'sgt', group);
  const id = (await note('POST', 'sgt', sgt('of others', 902, { description: 'x', isReadOnly: true }))).id() || 'none';
  await note('PUT', `sgt/${id}`, { Sgt: { name: 'renamed' } });
  for (const path of ['?filter=name.EQ.employees', '?sortasc=name&size=100', `/${id}`]) await note('GET', `sgt${path}`);
  for (let times = 0; times < 2; times += 1) await note('DELETE', `sgt/${id}`);
  await note('GET', 'node?sortasc=name');
}

async function special(note: Ask, served: Served): Promise<void> {
  await note('GET', 'ancendpoint/versioninfo');
  const target = [
    ['macAddress', '02:00:00:00:00:01'],
    ['policyName', served.policies[0] ?? ''],
  ] as const;
  await note('PUT', 'ancendpoint/apply', ancBody(...target));
  await note('GET', 'ancendpoint?filter=name.EQ.02:00:00:00:00:01');
  const bulk = { operationType: 'create', resourceMediaType: 'x', resourcesList: [{ name: 'bulked', value: 950 }] };
  const submitted = await note('PUT', 'sgt/bulk/submit', { SgtBulkRequest: bulk });
  const state = async () => (await served.ask('GET', `sgt/bulk/${submitted.id()}`)).text;
  for (const until = performance.now() + 300; performance.now() < until && /IN_PROGRESS|RUNNING/.test(await state()); );
  await note('GET', `sgt/bulk/${submitted.id()}`);
}

/** What a deployment may take or not: long texts and addresses, names that are in use elsewhere or were once. */
async function limits(note: Ask): Promise<void> {
  await note('POST', 'sgt', sgt('long', 970, { description: 'l'.repeat(300) }));
  await note('GET', `sgt?filter=description.EQ.${'l'.repeat(3000)}`);
  await note('GET', 'sgt?size=1', undefined, { Accept: '' });
  const shared = { name: 'shared', portalType: 'HOTSPOTGUEST' };
  await note('POST', 'hotspotportal', { HotspotPortal: shared });
  await note('POST', 'mydeviceportal', { MyDevicePortal: { ...shared, portalType: 'MYDEVICE' } });
  for (let more = 0; more < 31; more += 1) {
    await note('GET', 'portaltheme?size=1');
    await note('POST', 'portaltheme', { PortalTheme: { name: `more${more}`, themeData: 'eA==' } });
  }
  const id = (await note('POST', 'sgt', sgt('used', 971))).id() || 'none';
  await note('PUT', `sgt/${id}`, sgt('used', 971));
  await note('DELETE', `sgt/${id}`);
  await note('POST', 'sgt', sgt('used', 971));
  await note('PUT', `sgt/${id}`, sgt('used again', 972));
}

/** Requests that overlap. */
async function together(served: Served, add: (line: string) => void): Promise<void> {
  const made = await Promise.all([1, 2, 3, 4].map((at) => served.ask('POST', 'sgt', sgt(`p${at}`, 960 + at))));
  const reads = await Promise.all(made.map((reply) => served.ask('GET', `sgt/${reply.id() || 'none'}`)));
  const many = await Promise.all(Array.from({ length: 32 }, () => served.ask('GET', 'sgt?size=1')));
  add(`parallel lists: ${many.map(({ status }) => status).join(' ')}`);
  add(`parallel creates: ${reads.map(({ status }) => status).join(' ')}`);
}
