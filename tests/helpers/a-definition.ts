import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { ImportedFamily } from '../../lib/contract/register.ts';
import type { Family } from '../../lib/contract/types.ts';
import { VENDOR } from '../../lib/contract/vendor.ts';
import type { Taken } from '../../lib/families/import/family.ts';
import { importDefinitions } from '../../lib/families/import/import.ts';
import { familiesText } from '../../lib/families/import/write.ts';
import { readFamilies } from '../../lib/families/read.ts';
import { folderOfTests } from './folder.ts';

const row = (...cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

/** A definition as the vendor prints them: tables in HTML, header notes, a tab, brackets that hang out, no `operationId`. */
export const SWAGGER = `swagger: '2.0'
info:
  title: Gadget
  description: |
    <h2>Resource Definition</h2>
    <table>
    ${row('<b>Attribute</b>', '<b>Type</b>', '<b>Required</b>', '<b>Description</b>', '<b>Example Values</b>')}
    ${row('name', 'String', 'Yes', 'Name. Maximum 32 characters allowed', 'gadget')}
    ${row('mode', 'Enum', 'Yes', 'Allowed values:<br>- FAST, <br>- SLOW', 'FAST')}
    ${row('interval', 'Integer', 'No', 'in seconds (Valid Range 600 to 86400)', '3600')}
    ${row('settings', 'List', 'No', '', '')}
    ${row('- sharedSecret', 'String', 'Yes', '', 'aaa')}
    ${row('- ports', 'List', 'No', '', '')}
    ${row('&nbsp - port', 'Integer', 'Yes', '', '7')}
    ${row('createdOn', 'String', 'No', 'This attribute is read-only', '')}
    </table>
paths:
  /ers/config/gadget/name/{name}:
    get: { responses: { 200: { description: OK } } }
    put: { responses: { 200: { description: OK } } }
    delete: { responses: { 204: { description: gone } } }
  /ers/config/gadget/{id}:
    get: { responses: { 200: { schema: { $ref: '#/definitions/gadget' } } } }
    put: { parameters: [ { in: body, name: request, schema: { $ref: '#/definitions/gadget' } } ] }
    delete: { responses: { 204: { description: gone } } }
    patch: { responses: { 200: { description: OK } } }
  /ers/config/gadget/{id}/restart:
    put: { responses: { 200: { description: OK } } }
  /ers/config/gadget:
    get:
      description: <p>All gadgets.</p> <p><h1>Filter:</h1> <h3>[name,
        MODE, colour]</h3></p> <p><h1>Sorting:</h1> <h3>[name, description]</h3></p>
      parameters:
      - { in: header, name: HTTP ERS-Media-Type Header, description: 'Example:- shop.gadget.1.2' }
      responses: { 200: { schema: { $ref: '#/definitions/search' } } }
    post: { parameters: [ { in: body, name: request, schema: { $ref: '#/definitions/gadget' } } ] }
  /ers/config/gadget/versioninfo:
    get: { responses: { 200: { schema: { $ref: '#/definitions/VersionInfo' } } } }
  /ers/config/gadget/submit:
    put: { parameters: [ { in: body, name: request, schema: { properties: { GadgetBulkRequest: { type: object } } } } ] }
  /ers/config/gadget/bulk/{bulkid}:
    get: { responses: { 200: { description: OK } } }
definitions:
  gadget:
    type: object
    properties:
      ERSGadget:
        $ref: '#/definitions/ERSGadget'\t
  ERSGadget:
    type: object
    properties:
      id: { type: string, example: 70c79c30-8bff-11e6-996c-525400b48521 }
      name: { type: string, example: gadget }
      description: { type: string, example: a gadget }
      mode: { type: string, example: FAST }
      interval: { type: integer, example: 3600 }
      flag: { type: string, example: true }
      mac: { type: string, example: '11:22:33:44:55:66' }
      settings:
        type: object
        properties:
          sharedSecret: { type: string, example: aaa }
          wrapEncryptionKey: { type: string }
          ports:
            type: array
            example: [ {
        "port" : 7
      } ]
      link: { type: object }
  search:
    properties:
      SearchResult:
        type: object
        properties:
          resources: { type: array, example: [ { id: a, name: gadget, link: {} } ] }
  VersionInfo:
    properties:
      VersionInfo:
        type: object
        properties:
          currentServerVersion: { type: string, example: '1.2' }
          supportedVersions: { type: string, example: '1.0,1.2' }
`;

/** A new file with the text; JSON for anything that is no text. */
export function written(content: unknown, name = 'definition.yaml'): string {
  const path = join(folderOfTests(), name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** What an import makes of a definition: as taken, the file as it is written, and as every run reads it. */
export function importedFrom(...contents: readonly unknown[]): {
  taken: readonly Taken[];
  left: readonly string[];
  file: string;
  read: readonly ImportedFamily[];
} {
  const { taken, left } = importDefinitions(contents.map((content) => written(content)));
  const file = written(familiesText(taken, 'families.schema.json'), 'families.yaml');
  return { taken, left, file, read: readFamilies(file) };
}

/** Takes imported families out of the table again, which all tests of one process share. */
export function dropFamilies(names: readonly string[]): void {
  for (const name of names) {
    delete (FAMILIES as Record<string, Family>)[name];
    delete VENDOR[name];
  }
}
