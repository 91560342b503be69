import { type Ask, ancBody, type Served } from './ask.ts';

/** Ids, ports and times differ from run to run: they are replaced by what they are. */
function normal(text: string): string {
  return text
    .replace(/:\d{4,5}\//g, ':PORT/')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\b1[0-9]{12}\b/g, 'EPOCH')
    .replace(/\w{3} \w{3} \d{2} [\d:]{8} UTC \d{4}/g, 'START');
}

/** A walk through the whole interface; its transcript is what somebody outside can tell of a deployment. `each` is told of each line of it. */
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
  const name = (reply: { json: () => { SearchResult?: { resources?: { id?: unknown }[] } } }, at: number) => {
    try {
      return String(reply.json().SearchResult?.resources?.[at]?.id ?? 'none');
    } catch {
      return 'none';
    }
  };
  await writes(note);
  await lists(note);
  await special(note, served, name);
  await limits(note);
  await together(served, add);
  return lines;
}

async function writes(note: Ask): Promise<void> {
  const sgt = (fields: object) => ({ Sgt: fields });
  const ids: string[] = [];
  for (const [index, suffix] of ['', '1', '.b', '%c', '_d'].entries()) {
    const body = {
      name: `t  ö${suffix}`,
      value: 300 + index,
      ...(index === 2 ? {} : { description: ` D${index} é ` }),
    };
    ids.push(
      (await note('POST', 'sgt', sgt({ ...body, propogateToApic: true, defaultSGACLs: [{ name: 'a' }] }))).id() ||
        'none',
    );
  }
  await note('POST', 'portaltheme', { PortalTheme: { name: 't  ö', themeData: 'eA==' } });
  await note('POST', 'portaltheme', { PortalTheme: { name: 'needs [no] description', themeData: 'eA==' } });
  for (const value of [-1, 2, 65519, 1, 65520]) await note('POST', 'sgt', sgt({ name: `v${value}`, value }));
  await note('POST', 'sgt', sgt({ name: 't  ö', value: 300 }));
  await note('POST', 'sgt', { name: 'bare', value: 800 });
  await note('POST', 'sgt', { PortalTheme: { name: 'rooted', value: 801 } });
  await note('POST', 'hotspotportal', { HotspotPortal: { name: 'h', portalType: 'OTHER' } });
  await note('POST', 'hotspotportal', { HotspotPortal: { name: 'h', portalType: 'SPONSOR', settings: { a: 1 } } });
  const xml = '<sgt name="x" description="by xml"><value>900</value></sgt>';
  await note('POST', 'sgt', xml, { 'Content-Type': 'application/xml; charset=utf-8' });
  await note('POST', 'sgt', sgt({ name: 'typed', value: 901 }), { 'Content-Type': 'text/plain' });
  await note('POST', 'sgt', sgt({ name: 'a small letter', value: 903 }));
  const kept = await note('POST', 'sgt', sgt({ name: 'readonly', value: 902, isReadOnly: true }));
  await note('DELETE', `sgt/${kept.id() || 'none'}`);
  await note('GET', 'sgt?sortasc=name&size=100');
  for (const id of ids) await note('GET', `sgt/${id}`);
  await note('PUT', `sgt/${ids[1]}`, sgt({ name: 'renamed', description: 'changed' }));
  for (const id of ids) await note('GET', `sgt/${id}`);
  await note('DELETE', `sgt/${ids[0]}`);
  await note('GET', `sgt/${ids[0]}`);
  await note('DELETE', `sgt/${ids[0]}`);
  await note('GET', 'sgt?size=100');
  await note('GET', 'portaltheme?size=100');
}

async function lists(note: Ask): Promise<void> {
  const value = ['EQ.10', 'NEQ.10', 'GT.10', 'LT.100'];
  const text = [
    ...['EQ.Em', 'STARTSW.e', 'NSTARTSW.e'],
    ...['STARTSW.mpl', 'ENDSW.loyee', 'NENDSW.s', 'CONTAINS.mpl', 'NCONTAINS.mpl'],
  ];
  const wild = ['EQ.t%25', 'CONTAINS.%25', 'CONTAINS._', 'EQ.t  ö.b', 'NCONTAINS.D', 'GT.Em', 'EQ.employees'];
  for (const part of value) await note('GET', `sgt?size=50&filter=value.${part}`);
  for (const part of [...text, ...wild]) await note('GET', `sgt?size=50&filter=name.${encodeURI(part)}`);
  await note('GET', 'sgt?size=50&filter=description.NCONTAINS.e');
  const two = 'filter=name.CONTAINS.e&filter=value.GT.50';
  for (const type of ['', '&filterType=or', '&filterType=OR', '&filterType=AND'])
    await note('GET', `sgt?${two}${type}&size=2`);
  const sorts = ['sortasc=value', 'sortdsc=value', 'sortasc=description', 'sortdsc=name'];
  for (const sort of [...sorts, 'sortasc=name&size=2', 'sortdsc=name&size=2']) await note('GET', `sgt?${sort}`);
  for (const page of ['size=3', 'size=3&page=2', 'size=3&page=3', 'page=0&size=3', 'page=99', 'size=500', 'size=60'])
    await note('GET', `sgt?${page}`);
  const total = (await note('GET', 'smsprovider?size=3')).text;
  await note('GET', `smsprovider?size=3&page=2&seen=${total.length > 0}`);
  for (const odd of ['sgt?filter=colour.EQ.red', 'sgt?sortasc=colour', 'node?sortasc=name', 'sgt?cfmx=1'])
    await note('GET', odd);
}

async function special(
  note: Ask,
  served: Served,
  idAt: (reply: Awaited<ReturnType<Ask>>, at: number) => string,
): Promise<void> {
  const portals = await note('GET', 'portal?size=100');
  const hotspots = await note('GET', 'hotspotportal?size=100');
  await note('GET', `hotspotportal/${idAt(hotspots, 1)}`, undefined, { 'ERS-Media-Type': 'portal.hotspotportal.1.0' });
  await note('DELETE', `portal/${idAt(portals, 0)}`);
  await note('GET', `hotspotportal/${idAt(hotspots, 0)}`);
  for (const family of ['sgt', 'ancendpoint', 'byodportal']) await note('GET', `${family}/versioninfo`);
  const nodes = await note('GET', 'node');
  await note('GET', `node/${idAt(nodes, 1)}`);
  await note('GET', 'node/name/ise-node-2');
  const target = [['macAddress', '02:00:00:00:00:01']] as const;
  await note('PUT', 'ancendpoint/apply', ancBody(...target, ['policyName', served.policies[0] ?? '']));
  const entry = await note('GET', 'ancendpoint?filter=name.EQ.02:00:00:00:00:01');
  await note('GET', `ancendpoint/${idAt(entry, 0)}`);
  await note('PUT', 'ancendpoint/clear', ancBody(...target));
  await note('GET', 'ancendpoint?size=50');
  const bulk = { resourceMediaType: 'x', resourcesList: [{ name: 'bulked', value: 950 }] };
  for (const operationType of ['create', 'delete']) {
    const submitted = await note('PUT', 'sgt/bulk/submit', { SgtBulkRequest: { ...bulk, operationType } });
    const state = async () => (await served.ask('GET', `sgt/bulk/${submitted.id()}`)).text;
    for (
      const until = performance.now() + 300;
      performance.now() < until && /IN_PROGRESS|RUNNING/.test(await state());
    );
    await note('GET', `sgt/bulk/${submitted.id()}`);
  }
  await note('GET', 'sgt?filter=name.EQ.bulked');
  await note('PUT', 'sgt/bulk/submit', { SgtBulkRequest: { operationType: 'import', resourceMediaType: 'x' } });
}

/** What a deployment may take or not: long texts and addresses, names that are in use elsewhere or were once. */
async function limits(note: Ask): Promise<void> {
  await note('POST', 'sgt', { Sgt: { name: 'long', value: 970, description: 'l'.repeat(300) } });
  await note('GET', `sgt?filter=description.EQ.${'l'.repeat(3000)}`);
  await note('GET', 'sgt?size=1', undefined, { Accept: '' });
  const shared = { name: 'shared', portalType: 'HOTSPOTGUEST' };
  await note('POST', 'hotspotportal', { HotspotPortal: shared });
  await note('POST', 'mydeviceportal', { MyDevicePortal: { ...shared, portalType: 'MYDEVICE' } });
  for (let more = 0; more < 31; more += 1) {
    await note('GET', 'portaltheme?size=1');
    await note('POST', 'portaltheme', { PortalTheme: { name: `more${more}`, themeData: 'eA==' } });
  }
  const sgt = { Sgt: { name: 'used', value: 971 } };
  const used = await note('POST', 'sgt', sgt);
  await note('PUT', `sgt/${used.id() || 'none'}`, sgt);
  await note('DELETE', `sgt/${used.id() || 'none'}`);
  await note('POST', 'sgt', sgt);
  await note('PUT', `sgt/${used.id() || 'none'}`, { Sgt: { name: 'used again', value: 972 } });
}

/** Requests that overlap: creates at the same time, and reads during an update. */
async function together(served: Served, add: (line: string) => void): Promise<void> {
  const names = ['p1', 'p2', 'p3', 'p4'];
  const made = await Promise.all(
    names.map((name, index) => served.ask('POST', 'sgt', { Sgt: { name, value: 960 + index, description: name } })),
  );
  const statuses = await Promise.all(made.map((reply) => served.ask('GET', `sgt/${reply.id() || 'none'}`)));
  const many = await Promise.all(Array.from({ length: 32 }, () => served.ask('GET', 'sgt?size=1')));
  add(`parallel lists: ${many.map(({ status }) => status).join(' ')}`);
  add(`parallel creates: ${statuses.map(({ status }) => status).join(' ')}`);
  const id = made[0]?.id() || 'none';
  const update = served.ask('PUT', `sgt/${id}`, { Sgt: { name: 'q1', description: 'q1' } });
  const seen = new Set<string>();
  for (let read = 0; read < 20; read += 1) {
    const { name, description } = JSON.parse((await served.ask('GET', `sgt/${id}`)).text || '{}')?.Sgt ?? {};
    if (name !== description) seen.add('torn');
  }
  await update;
  add(`reads during an update: ${[...seen].join(' ') || 'whole'}`);
}
