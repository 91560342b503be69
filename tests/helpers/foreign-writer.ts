import type { ReferenceServer } from '../../reference/server.ts';

/** Bodies of records that somebody else creates while a run is on. */
const BODIES: Readonly<Record<string, (serial: number) => unknown>> = {
  sgt: (n) => ({ Sgt: { name: `foreign_${n}`, value: 30_000 + (n % 9000) } }),
  portaltheme: (n) => ({ PortalTheme: { name: `cfm foreign beta ${n}`, themeData: 'x' } }),
  hotspotportal: (n) => ({ HotspotPortal: { name: `foreign alpha ${n}`, portalType: 'HOTSPOTGUEST' } }),
};

const KEPT = 110;

/** Creates and deletes records in several families until stopped; gives the number of records it made. */
export function startForeignWriter(server: ReferenceServer): { readonly stop: () => Promise<number> } {
  let on = true;
  let made = 0;
  const login = Buffer.from(`${server.username}:${server.password}`).toString('base64');
  const headers = { Authorization: `Basic ${login}`, 'Content-Type': 'application/json', Accept: 'application/json' };
  const write = async (family: string, bodyOf: (serial: number) => unknown) => {
    const kept: string[] = [];
    for (let serial = 0; on; serial += 1) {
      const body = JSON.stringify(bodyOf(serial));
      const created = await fetch(`${server.baseUrl}/ers/config/${family}`, { method: 'POST', headers, body });
      await created.text();
      const location = created.headers.get('location');
      if (location !== null) {
        made += 1;
        kept.push(location);
      }
      const gone = kept.length > KEPT || serial % 3 === 2 ? kept.splice((serial * 7) % kept.length, 1)[0] : undefined;
      if (gone !== undefined) await (await fetch(gone, { method: 'DELETE', headers })).text();
    }
  };
  const writers = Object.entries(BODIES).map(([family, bodyOf]) => write(family, bodyOf));
  return {
    stop: async () => {
      on = false;
      await Promise.all(writers);
      return made;
    },
  };
}
