import { FACTORY_RECORDS, type FactoryRecord } from './factory.ts';
import { PORTAL_DEFAULTS, type PortalDefaults } from './factory-portals.ts';

interface NameRule {
  readonly pattern: RegExp;
  /** The names of a family differ in more than case. */
  readonly ignoresCase?: true;
}

/** A member that names a record of another family, with a list whose items the server completes. */
interface Reference {
  readonly member: string;
  readonly family: string;
  readonly items: string;
}

/**
 * What is publicly known of one family on real deployments, beyond what `vendor.ts` says. Data of the personas of the embedded
 * deployment. The suite learns such things from its target, and never reads this table.
 */
export interface PersonaFacts {
  /** Names in the family's plain form; `loose` for the wider form that one client publishes. */
  readonly names?: { readonly of: 'group' | 'other'; readonly plain: NameRule; readonly loose?: NameRule };
  /** Settings, customizations and type of a portal kind. */
  readonly portal?: PortalDefaults;
  readonly styleSheet?: string;
  readonly reference?: Reference;
  /** Member that the server counts up with each change, and shows as a text. */
  readonly counter?: string;
  /** Members that are taken and not shown again. */
  readonly hidden?: readonly string[];
  /** Members that no answer of the family shows. */
  readonly absent?: readonly string[];
  /** Members that no list entry shows. */
  readonly notListed?: readonly string[];
  /** Member by which lists are ordered if the request names no order. */
  readonly listOrder?: string;
  /** Values of a member that answers of a view show in place of the stored ones. */
  readonly shownAs?: { readonly member: string; readonly values: Readonly<Record<string, string>> };
  /** Families of the view that it does not show. */
  readonly leavesOut?: readonly string[];
  /** A record that the specification rules out and every deployment has. */
  readonly outside?: FactoryRecord;
}

const OTHER_NAME = /^[A-Za-z0-9 _.()-]{1,128}$/;
const otherNames = { of: 'other', plain: { pattern: OTHER_NAME, ignoresCase: true } } as const;

const PERSONA: Readonly<Record<string, PersonaFacts>> = {
  portaltheme: { names: otherNames, styleSheet: 'themeData', listOrder: 'id' },
  hotspotportal: { names: otherNames, portal: PORTAL_DEFAULTS.hotspotportal, listOrder: 'id' },
  mydeviceportal: { names: otherNames, portal: PORTAL_DEFAULTS.mydeviceportal, listOrder: 'id' },
  byodportal: { names: otherNames, portal: PORTAL_DEFAULTS.byodportal, listOrder: 'id' },
  portal: {
    listOrder: 'id',
    leavesOut: ['mydeviceportal', 'byodportal'],
    shownAs: {
      member: 'portalType',
      values: {
        HOTSPOTGUEST: 'GUEST',
        SELFREGGUEST: 'GUEST',
        SPONSOREDGUEST: 'GUEST',
        SPONSOR: 'SPONSOR',
        MYDEVICE: 'GUEST',
        BYOD: 'GUEST',
      },
    },
  },
  smsprovider: { notListed: ['description'], listOrder: 'id' },
  telemetryinfo: { absent: ['name', 'description'], notListed: ['name', 'description'] },
  node: { notListed: ['description'], listOrder: 'id' },
  sgt: {
    names: {
      of: 'group',
      plain: { pattern: /^[A-Za-z0-9_]{1,32}$/ },
      loose: { pattern: /^[A-Za-z0-9_.-]{1,32}$/ },
    },
    counter: 'generationId',
    hidden: ['isReadOnly', 'defaultSGACLs'],
    listOrder: 'name',
    outside: { ...FACTORY_RECORDS['sgt']?.at(-1), value: 0 },
  },
  sgtvnvlan: {
    names: otherNames,
    reference: { member: 'sgtId', family: 'sgt', items: 'virtualnetworklist' },
    listOrder: 'id',
  },
  sxpvpns: {
    names: { of: 'other', plain: { pattern: /^[A-Za-z0-9_.()-]{1,32}$/, ignoresCase: true } },
    notListed: ['name', 'sxpVpnName', 'description'],
    listOrder: 'id',
  },
  // Its list is long and grows all the time: it stays in the order of creation.
  ancendpoint: { absent: ['name', 'description'], notListed: ['name', 'description'] },
};

export const personaFacts = (name: string): PersonaFacts =>
  (Object.hasOwn(PERSONA, name) ? PERSONA[name] : undefined) ?? {};

/** Records of a family that a deployment has when it is new; undefined for a family that the table does not have. */
export const factoryRecords = (name: string): readonly FactoryRecord[] | undefined =>
  Object.hasOwn(FACTORY_RECORDS, name) ? FACTORY_RECORDS[name] : undefined;
