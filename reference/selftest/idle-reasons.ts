/** What a check is there for that no seeded defect and no null target fails: it is not proven that it can fail. */
export const IDLE_REASONS: Readonly<Record<string, string>> = {
  'record/read':
    'a read that fails among siblings; M17 and M20 break reads so far that no record can be made, which blocks it',
  'record/created-is-listed':
    'a record that is readable and never listed; M44 hides the last record of a whole list only, which list and paging checks find',
  'record/ids':
    'an id that changes with an update or is shared; M16 answers ids that no read can be asked for, which fails the create and blocks it',
  'record/field-names': 'a field answered under another spelling; M04 misreads names and answers them as listed',
  'record/create-with-id': 'a create that refuses an id; no seeded defect does',
  'record/visible-soon': 'a write that shows late, but within the window; no seeded defect delays writes',
  'body/unset-left-out': 'a create that refuses a body without its optional fields; no seeded defect does',
  'headers/csrf-on-reads': 'a read that refuses the token; M58 refuses the other headers',
  'headers/csrf-on-writes': 'a write that refuses the token; M58 refuses the other headers',
  'negative/unknown-id': 'an id of no record that is answered with one; M17 does, and blocks it by failing the create',
  'negative/bad-body':
    'a body of another form that is stored; M22 and M07 store bodies with one fault each, which checks of their own find',
  'schema/required-members': 'an answer without a required member; no seeded defect drops one',
  'anc/neighbors':
    'an operation that reaches another endpoint, or stores another policy; no seeded defect does, generated ones do',
  'anc/csrf-header': 'an apply that refuses the token; no seeded defect does',
  'bulk/submit': 'a bulk request refused outright; M50 to M52 take every request',
  'bulk/monitor': 'a monitor that does not answer for a known id; M50 knows none, which bulk/known-id finds',
  'bulk/items':
    'a monitor that says something else of an item than a look shows; no seeded defect does, M51 says nothing of any',
  'list/fields': 'a listed filter or sort field that is refused; no seeded defect refuses one',
  'list/without-sort': 'a list parameter that is refused where there is no sort; no seeded defect refuses one',
  'filter/type-spelling': 'a filterType taken under another spelling only; no seeded defect does',
  'survey/delete':
    'a delete that does nothing after some other write; M11 and M12 delete wrongly each time, which record/delete finds',
  'filter/encoded-value': 'a value that is compared still encoded; M37 cuts values at a dot, and decodes them',
};
