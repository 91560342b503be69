/** One word of the reports or the command line, and what it means. */
export interface Entry {
  readonly id: string;
  readonly kind: 'rule' | 'verdict' | 'mode' | 'tier' | 'level' | 'word';
  readonly text: string;
}

const of = (kind: Entry['kind'], entries: Readonly<Record<string, string>>): readonly Entry[] =>
  Object.entries(entries).map(([id, text]) => ({ id, kind, text }));

/** Rules of a load cell, by the verdict that a broken one leads to. */
const INVALID = 'Broken, it makes the cell invalid: the measurement proves nothing about the target.';
const VIOLATED = 'Broken, it makes the cell violated: the target did not do its part.';

const RULES = of('rule', {
  ran: `The cell could be run at all. ${INVALID}`,
  'k6-ended': `k6 ended by itself, and without a fault. ${INVALID}`,
  'stream-whole': `The stream of samples was read to its end. ${INVALID}`,
  'counts-agree': `Arrivals scheduled = started + dropped, and every start was recorded. ${INVALID}`,
  'record-consistent': `The samples and the facts of the cell agree. ${INVALID}`,
  'schedule-whole': `The number of arrivals is that of the schedule, give or take one. ${INVALID}`,
  'no-exceptions': `No iteration of the scenario threw. ${INVALID}`,
  window: `Arrivals were measured after the warm-up, over at least one bucket. ${INVALID}`,
  reuse: `An endpoint comes again only after its last request is over. ${INVALID}`,
  lag: `The generator started arrivals on time: a high percentile of lag stays within the limit (--max-lag, 10 ms). ${INVALID}`,
  'lag-max': `The largest lag of the generator stays below one second. ${INVALID}`,
  'k6-cpu': `k6 used at most 70 % of all cores on average. ${INVALID}`,
  'k6-cpu-max': `k6 used at most 95 % of all cores in its busiest second. ${INVALID}`,
  'collector-cpu': `The process that reads the samples used at most 80 % of its core. ${INVALID}`,
  'event-loop': `The process that reads the samples was never held up for long. ${INVALID}`,
  swap: `No memory of the generator was swapped. ${INVALID} On a system that does not show it, it decides nothing.`,
  clock: `The wall clock made no step. ${INVALID}`,
  'common-start': `The segments of the load began together. ${INVALID}`,
  throttled: `No runner was held back by its CPU limit for long. ${INVALID}`,
  'same-program': `All runners ran the same k6 and the same scenario. ${INVALID}`,
  'no-drops': `Every arrival got a connection. Broken with an idle generator and busy connections, the cell is violated; else invalid.`,
  'no-failures': `Every transaction was answered with success. ${VIOLATED}`,
  'slo-errors': `The share of transactions that failed is within --slo errors=…; it stands in place of no-failures. ${VIOLATED}`,
  ...Object.fromEntries(
    ['p50', 'p90', 'p95', 'p99', 'p99.9'].map((name) => [
      `slo-${name}`,
      `This percentile of the response time is within --slo ${name}=…. ${VIOLATED}`,
    ]),
  ),
  'rate-held': `In every bucket of time there was a success for every arrival due, up to the target rate. ${VIOLATED}`,
  'in-flight-stable': `The number of transactions in flight did not keep growing: no queue built up. ${VIOLATED}`,
  'in-flight-at-end': `No more transactions were in flight at the last arrival than in the first half: the target kept up to the end. ${VIOLATED}`,
  'read-back-done': `Endpoints were looked at after the load. ${INVALID}`,
  'effect-proven': `Every endpoint that was looked at after the load is in the promised state. ${VIOLATED}`,
  'effect-proven-in-flight': `Every endpoint that was looked at while the load ran was in the promised state, at once or a second later. ${VIOLATED}`,
  reconciled: `The list of endpoints shows every acknowledged transaction: none is lost, and none holds another policy. ${VIOLATED}`,
  'totals-agree': `The number of endpoints with a policy changed by as many as succeeded, within 5 %. ${VIOLATED}`,
  'not-stopped': `No abort rule ended the cell early. ${VIOLATED}`,
});

const VERDICTS = of('verdict', {
  pass: 'Conformance: the requirement holds, and a witness shows that the check could have failed.',
  fail: 'Conformance: a stated requirement is violated. Exit 1, unless the baseline expects it.',
  warn: 'Conformance: an implied requirement is violated. Exit 0, or 1 with --strict.',
  info: 'Conformance: what the target does where the specification is silent. Recorded, never judged.',
  'not-applicable': 'Conformance: the target does not have what the check is about. Never judged.',
  blocked: 'Conformance: not proven, because something that it rests on failed.',
  inconclusive: 'Not proven: what was seen fits a conformant target and a broken one alike.',
  error: 'Conformance: not proven, because the check itself could not be carried out.',
  flaky: 'Conformance: a failure that passed when it was retried in the same run. It stays a failure.',
  met: 'Load: every rule of the cell holds.',
  violated: 'Load: the generator did its part, and the target did not.',
  invalid: 'Load: the measurement itself was at fault, so it proves nothing about the target.',
  conformant: 'Every stated requirement that could be tested holds.',
  'non-conformant': 'At least one stated requirement is violated.',
  proven: 'Everything that was asked for was proven. Exit 0.',
  disproven: 'At least one thing that was asked for is not so. Exit 1.',
  'not-tested': 'It was not asked for, or it could not be asked.',
  residue: 'Something that the run made is still on the target. Exit 5; the report lists how to remove it.',
});

const CHOICES = [
  ...of('mode', {
    'read-only': '--mode read-only: sends GET alone.',
    'own-data': '--mode own-data: also creates, changes and removes records of this run, and no others.',
    full: '--mode full: also ANC on the endpoints and the policy that are named, and bulk. --tier full: one pass over the population.',
  }),
  ...of('tier', {
    quick: '--tier quick: 10 s per cell. A first look, not for sign-off.',
    nightly: '--tier nightly: a minute per cell.',
  }),
  ...of('level', {
    stated: 'Level of a requirement: a sentence of the specification says it. A violation fails.',
    implied:
      'Level of a requirement: it follows from the meaning of an operation. A violation warns; with --strict it fails.',
    gap: 'Level of a requirement: the specification does not show it. Recorded, never judged.',
    advice: 'Level of a requirement: good practice. Recorded, never judged.',
  }),
];

const WORDS = of('word', {
  witness:
    'What gives a pass its meaning: counts of what a check saw, such as records that a filter matched and records that it excluded. Without one, nothing passes.',
  baseline:
    'File of failures that are expected, each with a reason, an owner and a date. Other failures end with exit 1.',
  cell: 'One load: a profile, an operation and a rate, for a time. Each cell has a verdict.',
  profile: 'Size of a deployment as the limits table of the specification lists it: 60k, 200k, 500k sessions.',
  tier: 'How long each cell of a load lasts: quick, nightly, full.',
  pool: 'Endpoints that ANC may touch (--endpoints). Only you name them.',
  lag: 'How late the generator was: start of a request minus the time it was due.',
  'service time': 'From the request being sent to the last byte of the answer.',
  'response time': 'From the time an arrival was due to the last byte of the answer: service time plus lag.',
  dropped: 'An arrival that found every connection busy, and was never sent.',
  offered: 'Arrivals sent per second.',
  achieved: 'Successes per second.',
  headroom: 'Highest rate that held, divided by the rate of the specification.',
  knee: 'The rate beyond which a target no longer holds what is offered.',
  'ramp-up': 'Unmeasured rise to the rate before a cell (--ramp).',
  'steady state': 'The time at the full rate after the ramp-up.',
  'warm-up': 'First seconds of the steady state, which no figure includes.',
  'read-back': 'Looks at endpoints after (and during) a load, to prove that answers had their effect.',
  'background traffic': 'Lists, reads, creates, updates and deletes during a load (--background). They decide nothing.',
  segment: 'One of several k6 processes that share the arrivals of a cell (--segments).',
  journal: 'File of a run that names every write before it is sent. `ers-harness sweep` removes what it names.',
  residue: 'What a run made and could not remove.',
  mutant: 'A deployment with a seeded defect, by which the checks themselves are tested.',
  variation: 'Behavior that the specification allows, so no check may fail for it.',
  'null target': 'A target that answers without doing anything: no check may pass on it.',
});

/** Every word that `explain` knows besides the ids of tables. */
export const GLOSSARY: readonly Entry[] = [...RULES, ...VERDICTS, ...CHOICES, ...WORDS];
