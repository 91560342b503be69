import { OPS } from '../../../lib/contract/operations.ts';
import type { FamilyTable, Op } from '../../../lib/contract/types.ts';
import { withFields } from '../../deviation.ts';
import { headerOf } from '../../http/wire.ts';
import type { Fields } from '../../seams.ts';
import { changesOf } from '../../store/store.ts';
import { cross, has, type Levels, type Place } from '../generated/line.ts';
import { isText, withMember, writtenMembers } from '../generated/members.ts';
import { type Mistake, QUOTES } from './effects.ts';

const written = ({ family, op }: Place) => {
  const { code } = OPS[op as Op];
  return [`OP-${family}-${code}`, ...(op === 'bulkSubmit' ? ['SPC-BULK'] : [`PAY-${code}`]), 'SVC-1', 'RES-TYPE'];
};

/** Places in free texts that clients write; not in names, whose alphabet and length no sentence promises. */
const inTexts = (table: FamilyTable, ops: readonly ('create' | 'update')[], levels: Levels) =>
  ops.flatMap((op) =>
    writtenMembers(table, op)
      .filter(({ name, type }) => isText(type) && !/(name|id|url)$/i.test(name))
      .flatMap(({ family, name: member }) =>
        cross(table, ({ name }) => name === family, { op: [op], member: [member], ...levels }),
      ),
  );

/** A mistake in a text on its way into the store; `spoil` gives the text itself where there is nothing to spoil. */
function textMistake(
  about: Pick<Mistake, 'id' | 'title'>,
  levels: Levels,
  isIt: (value: string, place: Place) => boolean,
  spoil: (value: string, place: Place) => string,
): Mistake {
  return {
    ...about,
    sentence: QUOTES.payload,
    places: (table) => inTexts(table, ['create', 'update'], levels),
    violates: written,
    install: (place, _kit, watch) => {
      const { family, op, member } = place;
      const spoiled = (kind: string, name: string, fields: Fields): Fields => {
        const value = fields[String(member)];
        if (name !== family || kind !== op || typeof value !== 'string' || !watch.meets(isIt(value, place)))
          return fields;
        return watch.changes({ ...fields, [String(member)]: spoil(value, place) });
      };
      return { store: withFields(spoiled) };
    },
  };
}

const BREAK = /\r?\n|\r/g;
const BREAKS: Readonly<Record<string, (value: string) => string>> = {
  blank: (value) => value.replace(BREAK, ' '),
  lost: (value) => value.replace(BREAK, ''),
  cut: (value) => value.split(BREAK)[0] ?? value,
  doubled: (value) => value.replace(BREAK, '\n\n'),
  escaped: (value) => value.replace(BREAK, String.raw`\n`),
};

/** Index of the character that lies across a boundary in bytes; -1 if none does. */
function acrossByte(value: string, at: number): number {
  let [bytes, index] = [0, 0];
  for (const sign of value) {
    const size = Buffer.byteLength(sign);
    if (bytes < at && bytes + size > at) return index;
    bytes += size;
    index += sign.length;
  }
  return -1;
}

const TEXTS: readonly Mistake[] = [
  textMistake(
    { id: 'values-line-break', title: 'line breaks of this text become this' },
    { effect: Object.keys(BREAKS) },
    (value) => /[\r\n]/.test(value),
    (value, { effect }) => BREAKS[String(effect)]?.(value) ?? value,
  ),
  textMistake(
    { id: 'values-split-character', title: 'a character that lies across this byte of this text is spoiled' },
    { at: [64, 256, 1024, 4096] },
    (value, { at }) => acrossByte(value, Number(at)) >= 0,
    (value, { at }) => {
      const index = acrossByte(value, Number(at));
      const [sign = ''] = value.slice(index);
      return `${value.slice(0, index)}\ufffd\ufffd${value.slice(index + sign.length)}`;
    },
  ),
  textMistake(
    { id: 'values-full-block', title: 'of a text of exactly this length, this happens to the last character' },
    { at: [64, 256, 1024, 4096], unit: ['bytes', 'characters'], effect: ['lost', 'twice'] },
    (value, { at, unit }) => (unit === 'bytes' ? Buffer.byteLength(value) : [...value].length) === at,
    (value, { effect }) => {
      const signs = [...value];
      return effect === 'lost' ? signs.slice(0, -1).join('') : `${value}${signs.at(-1) ?? ''}`;
    },
  ),
];

const EMPTY: Mistake = {
  id: 'values-empty',
  title: 'an update with an empty text for this does this',
  sentence: QUOTES.payload,
  places: (table) => inTexts(table, ['update'], { effect: ['keeps-it', 'changes-nothing'] }),
  violates: written,
  install: ({ family, member, effect }, kit, watch) => ({
    store: (inner) => ({
      update: (name, id, fields) => {
        const old = kit.seams.store.get(name, id);
        const isIt = fields[String(member)] === '' && (old?.[String(member)] ?? '') !== '';
        if (name !== family || old === undefined || !watch.meets(isIt)) return inner.update(name, id, fields);
        watch.exposure.changed += 1;
        if (effect === 'changes-nothing') return changesOf(old, fields);
        return inner.update(name, id, withMember(fields, String(member), undefined));
      },
    }),
  }),
};

const GARBLES: Readonly<Record<string, (text: string) => string>> = {
  'latin-1': (text) => Buffer.from(text, 'utf8').toString('latin1'),
  'question-marks': (text) => text.replace(/[\u0080-\u{10ffff}]/gu, '?'),
  nothing: (text) => text.replace(/[\u0080-\u{10ffff}]/gu, ''),
  'latin-1-or-nothing': (text) => text.replace(/[\u0100-\u{10ffff}]/gu, ''),
};

const CHARSET: Mistake = {
  id: 'values-charset',
  title: 'with a charset in Content-Type, characters beyond ASCII in the body are read as this',
  sentence:
    'When the Content-Type header contains application/xml, the request body is XML text; otherwise it is a JSON object.',
  places: (table) =>
    (['create', 'update', 'bulkSubmit'] as const).flatMap((op) =>
      cross(table, has(op, 'create'), {
        op: [op],
        sent: op === 'bulkSubmit' ? ['json'] : ['json', 'xml'],
        effect: Object.keys(GARBLES),
      }),
    ),
  violates: (place) => [...written(place), 'PAY-C', 'CNV-XML', 'CNV-HDR'],
  install: ({ family, op, sent, effect }, _kit, watch) => ({
    front: ({ handle }) => ({
      handle: (call) => {
        const { request, route } = call;
        const type = headerOf(request, 'content-type') ?? '';
        const isIt = /;\s*charset=/i.test(type) && /xml/i.test(type) === (sent === 'xml');
        if (route?.family !== family || route.op !== op || !watch.meets(isIt)) return handle(call);
        const body = async () => {
          const text = await request.body();
          return watch.instead(text, GARBLES[String(effect)]?.(text) ?? text);
        };
        return handle({ ...call, request: { ...request, body } });
      },
    }),
  }),
};

export const WRITTEN_VALUES: readonly Mistake[] = [...TEXTS, EMPTY, CHARSET];
