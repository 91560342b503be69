import {
  CERTIFICATE_GROUPS,
  ENDPOINT_GROUPS,
  PORTAL_INTERFACES,
  type PortalDefaults,
} from '../../../lib/contract/factory-portals.ts';
import { personaFacts } from '../../../lib/contract/personas.ts';
import type { FamilyTable } from '../../../lib/contract/types.ts';
import { isObject } from '../../../lib/wire/answer.ts';
import { invalidField, missingFields, Problem } from '../../answers/problem.ts';
import { randomIds } from '../../deployment.ts';
import type { Deviation, SeedKit } from '../../deviation.ts';
import { type Fields, type Kit, wrap } from '../../seams.ts';
import { allOf, type StoredRecord } from '../../store/store.ts';

const NODE = 'https://ise-1.example.com:8443';

function refuseUnknown(what: string, given: Fields, known: readonly string[]): void {
  const unknown = Object.keys(given).find((group) => !known.includes(group));
  if (unknown !== undefined) throw invalidField(what, `'${unknown}' is not a group of this portal`);
}

/** The basic settings, all four of which are mandatory and must exist. */
function checkBasics(basics: unknown): void {
  if (!isObject(basics)) throw invalidField('settings.portalSettings', 'it is mandatory');
  const { httpsPort, allowedInterfaces, certificateGroupTag, endpointIdentityGroup } = basics;
  if (!Number.isInteger(httpsPort) || Number(httpsPort) < 8000 || Number(httpsPort) > 8999)
    throw invalidField('httpsPort', 'it must be an integer from 8000 to 8999');
  const isKnown = (name: unknown) => typeof name === 'string' && PORTAL_INTERFACES.includes(name);
  if (!Array.isArray(allowedInterfaces) || allowedInterfaces.length === 0 || !allowedInterfaces.every(isKnown))
    throw invalidField('allowedInterfaces', `a list of ${PORTAL_INTERFACES.join(', ')}`);
  if (typeof certificateGroupTag !== 'string' || !CERTIFICATE_GROUPS.includes(certificateGroupTag))
    throw invalidField('certificateGroupTag', 'there is no such group');
  if (typeof endpointIdentityGroup !== 'string' || !ENDPOINT_GROUPS.includes(endpointIdentityGroup))
    throw invalidField('endpointIdentityGroup', 'there is no such group');
}

function checkSettings(settings: unknown, { settings: known, furtherSettings = [] }: PortalDefaults): Fields {
  if (!isObject(settings)) throw invalidField('settings', 'they are mandatory');
  checkBasics(settings['portalSettings']);
  refuseUnknown('settings', settings, [...Object.keys(known), ...furtherSettings]);
  return settings;
}

/** The family with style sheets is the one whose records portals name. */
const themeFamily = ({ table }: SeedKit) =>
  Object.keys(table).find((name) => personaFacts(name).styleSheet !== undefined);

function themeOf(kit: SeedKit, given: unknown): Fields | undefined {
  if (!isObject(given)) return undefined;
  const { seams } = kit;
  const themes = themeFamily(kit);
  if (themes === undefined) return given;
  const { id, name } = given;
  const byId = typeof id === 'string' ? seams.store.get(themes, id) : undefined;
  const found = id === undefined && typeof name === 'string' ? seams.store.find(themes, 'name', name) : byId;
  return found === undefined ? undefined : { id: found.id, name: found['name'] };
}

function checkCustomizations(kit: SeedKit, given: unknown, { customizations: known }: PortalDefaults): Fields {
  if (!isObject(given)) throw invalidField('customizations', 'they must be an object');
  refuseUnknown('customizations', given, Object.keys(known));
  const portalTheme = themeOf(kit, given['portalTheme']);
  if (portalTheme === undefined) throw invalidField('customizations.portalTheme', 'there is no such theme');
  return { ...given, portalTheme: { ...(given['portalTheme'] as Fields), ...portalTheme } };
}

/** Groups with what each of them lacks. */
function eachFilled(groups: Fields, given: unknown): Fields {
  const sent = Object.entries(isObject(given) ? given : {});
  const filled = (group: string, value: unknown) => {
    const usual = groups[group];
    return isObject(usual) && isObject(value) ? { ...usual, ...value } : value;
  };
  return { ...groups, ...Object.fromEntries(sent.map(([group, value]) => [group, filled(group, value)])) };
}

/** What a new portal gets besides what was sent. */
function filled(kit: SeedKit, defaults: PortalDefaults, fields: Fields): Fields {
  const { settings, customizations } = defaults;
  const theme = themeOf(kit, customizations['portalTheme']) ?? themeOf(kit, anyTheme(kit));
  const whole = theme === undefined ? customizations : { ...customizations, portalTheme: theme };
  return {
    ...fields,
    settings: eachFilled(settings, fields['settings']),
    customizations: { ...whole, ...(fields['customizations'] as Fields | undefined) },
  };
}

function anyTheme(kit: SeedKit): Fields | undefined {
  const themes = themeFamily(kit);
  return themes === undefined ? undefined : kit.seams.store.list(themes).slice(0, 1)[0];
}

/** Items with what the server adds: an id, and networks of their own. */
function completed(member: string, items: unknown, kit: Kit): unknown {
  if (!Array.isArray(items)) return items;
  const newId = randomIds(kit.random);
  return items.map((item) => {
    if (!isObject(item) || typeof item['name'] !== 'string' || item['name'] === '')
      throw invalidField(member, 'each item needs a name');
    const vlans = Array.isArray(item['vlans']) ? item['vlans'] : [];
    return {
      id: newId(),
      ...item,
      vlans: vlans.map((vlan: unknown) => (isObject(vlan) ? { id: newId(), ...vlan } : vlan)),
    };
  });
}

function namedBy(table: FamilyTable, seams: Kit['seams'], family: string, id: string): StoredRecord | undefined {
  for (const name of Object.keys(table)) {
    const { reference } = personaFacts(name);
    if (reference?.family !== family) continue;
    const found = allOf(seams.store.list(name)).find((record) => record[reference.member] === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const PORTAL_RULES = {
  portals: {
    install: wrap('rules', (inner, kit) => ({
      check: (name, op, fields) => {
        const { portal } = personaFacts(name);
        const checked = inner.check(name, op, fields);
        if (portal === undefined) return checked;
        const { portalType, settings, customizations } = checked;
        if (portalType !== undefined && portalType !== portal.kind)
          throw invalidField('portalType', `portals of this path are ${portal.kind}`);
        const given = {
          ...checked,
          ...(op === 'create' || settings !== undefined ? { settings: checkSettings(settings, portal) } : {}),
          ...(customizations === undefined ? {} : { customizations: checkCustomizations(kit, customizations, portal) }),
        };
        const whole = filled(kit, portal, given);
        if (op === 'create') return whole;
        return {
          ...given,
          ...(settings === undefined ? {} : { settings: whole['settings'] }),
          ...(customizations === undefined ? {} : { customizations: whole['customizations'] }),
        };
      },
    })),
    seeds: (name, rows, kit) => {
      const { portal } = personaFacts(name);
      if (portal === undefined) return rows;
      return rows.map((row) => filled(kit, portal, { ...row, portalType: portal.kind }));
    },
  },
  testurl: {
    install: () => ({
      rules: (inner) => ({
        check: (name, op, fields) => {
          const checked = inner.check(name, op, fields);
          if (personaFacts(name).portal === undefined) return checked;
          const { portalTestUrl: _sent, ...others } = checked;
          return others;
        },
      }),
      present: (inner) => ({
        read: (name, record) => {
          const { portal } = personaFacts(name);
          const shown = inner.read(name, record);
          return portal === undefined ? shown : { ...shown, portalTestUrl: NODE + portal.testPath + record.id };
        },
      }),
    }),
  },
  vn: {
    seeds: (name, rows, { table, seams }) => {
      const { reference } = personaFacts(name);
      if (reference === undefined || table[reference.family] === undefined) return rows;
      const named = seams.store.list(reference.family);
      return rows.map((row, index) => ({ ...row, [reference.member]: named.slice(index, index + 1)[0]?.id ?? '' }));
    },
    install: (kit) => ({
      rules: (inner) => ({
        check: (name, op, fields) => {
          const checked: Fields = inner.check(name, op, fields);
          const { reference } = personaFacts(name);
          if (reference === undefined || kit.table[reference.family] === undefined) return checked;
          const { member, family, items } = reference;
          const value = checked[member];
          if (value === undefined && op === 'create') throw missingFields([member]);
          if (value !== undefined && kit.seams.store.get(family, String(value)) === undefined)
            throw invalidField(member, 'there is no such record');
          return checked[items] === undefined
            ? checked
            : { ...checked, [items]: completed(items, checked[items], kit) };
        },
      }),
      store: (inner) => ({
        remove: (name, id) => {
          const mapping = namedBy(kit.table, kit.seams, name, id);
          if (mapping !== undefined)
            throw new Problem(400, 'crud', `The resource ${name} with id '${id}' is in use by a mapping`);
          return inner.remove(name, id);
        },
      }),
    }),
  },
} satisfies Readonly<Record<string, Deviation>>;
