import { OF_MEASUREMENT, OF_TARGET } from '../../lib/judge/cell/rules/rule.ts';

export interface Entry {
  readonly id: string;
  readonly kind: 'rule' | 'verdict' | 'mode' | 'depth' | 'level' | 'word' | 'kind of a failure';
  readonly text: string;
}

const of = (kind: Entry['kind'], entries: Readonly<Record<string, string>>): readonly Entry[] =>
  Object.entries(entries).map(([id, text]) => ({ id, kind, text }));

const ruleTexts = (rules: Readonly<Record<string, string>>, broken: string) =>
  Object.fromEntries(
    Object.entries(rules).map(([id, text]) => [
      id,
      `${text.replace(/^./, (letter) => letter.toUpperCase())}. ${broken}`,
    ]),
  );

const RULES = of('rule', {
  ...ruleTexts(OF_MEASUREMENT, 'If broken, the cell is invalid: the measurement proves nothing about the target.'),
  ...ruleTexts(OF_TARGET, 'If broken, the cell is violated: the target did not do its part.'),
  'no-drops': `Every arrival got a connection. If not, the cell is violated if the generator was idle and the connections busy, else invalid.`,
  'answered-with-success': `Where a look showed that the target answers an error although the policy is stored: such answers prove no success. If nothing else is broken, the cell is invalid.`,
});

const VERDICTS = of('verdict', {
  'not-testable':
    'Conformance: it cannot be shown on this target; the result says what would make it testable. Counted apart, never a reason for a red run.',
  'not-applicable': 'Conformance: the target does not have what the check tests. Never judged.',
  blocked: 'Conformance: not proven, because a check or request that it depends on failed.',
  inconclusive: 'Not proven: what was seen fits both a conformant and a broken target.',
  error: 'Conformance: not proven, because the check itself could not be carried out.',
  flaky: 'Conformance: a failure that passed when it was retried in the same run. It stays a failure.',
  invalid: 'Load: the measurement itself was at fault, so it proves nothing about the target.',
  refused:
    'Load: the target refuses the operation at any rate, as one try before the load or the first 50 answers showed. No question of speed; the others keep their verdicts; exit 7.',
  'too slow': 'Load: the target served less than was offered, and refused nothing. Exit 1.',
  passed:
    'It was really tested, and a witness shows that it could have failed: pass, met and conformant of the records.',
  failed:
    'It was really tested, and it is not as required: fail, violated and non-conformant of the records. Exit 1, unless the baseline expects it.',
  unclear:
    'It was asked for, and nothing decides it; the reason stands beside it: inconclusive, blocked, error and invalid of the records.',
  'not tested': 'This run or this target cannot show it: not-testable, not-applicable and not-tested of the records.',
  warning: 'An implied requirement is violated: warn of the records. Exit 0, or 1 with --strict.',
  note: 'What the target does where the specification is silent: info of the records. Never judged.',
  'nothing new': 'What failed is what the baseline expects. Exit 0.',
  better: 'What the baseline expects to fail passes now: take the entry out of it.',
  'not answered':
    'A search for the capacity that decided nothing: interrupted, not confirmed, or measured on a disturbed generator. Exit 4 or 130.',
  'left behind': 'Something that the run created is still on the target. Exit 5.',
  interrupted: 'Ctrl-C or a signal ended the run. What was measured before it stands; exit 130 or 143.',
  'out of time': 'The run ended at its --deadline: what it did not reach is unclear. Exit 4.',
  'no answer': 'The run was cut, or ended by a fault of its own, before it could say anything. Exit 3, 4 or 70.',
  late: 'Load: the rate was held, and the response time was above --slo. Exit 1.',
  worse: 'Comparison: it passed before and fails now, or three runs on each side show that it got slower. Exit 1.',
  differs: 'Comparison: these runs differ, and they are too few to tell that from chance.',
  'no difference shown': 'Comparison: what was measured shows none, which does not mean that there is none.',
  'nothing worse': 'Comparison: everything was compared, and nothing got worse. Exit 0.',
  'not comparable': 'Comparison: the runs did not ask the same, or one of them says nothing.',
});

const CHOICES = [
  ...of('mode', {
    'read-only': '--mode read-only: sends only GET requests.',
    'own-data': '--mode own-data: also creates, changes and removes records of this run, and no others.',
    full: '--mode full: also ANC on the named endpoints with the named policy, and bulk.',
  }),
  ...of('depth', {
    quick: '--depth quick: each requirement once; a load of 10 s per cell. A first look, not for sign-off.',
    normal: '--depth normal: also after every kind of write; a load of a minute per cell.',
    deep: '--depth deep: in more ways after each write; a load of one pass over the population per cell.',
  }),
  ...of('level', {
    stated: 'Level of a requirement: a sentence of the specification says it. A violation fails.',
    implied:
      'Level of a requirement: it follows from the meaning of an operation. A violation warns; with --strict it fails.',
    gap: 'Level of a requirement: the specification does not show it. Recorded, never judged.',
    advice: 'Level of a requirement: good practice. Recorded, never judged.',
  }),
];

const KINDS = of('kind of a failure', {
  refused: 'A valid request was refused.',
  accepted: 'A request that has to be refused was taken.',
  'no-effect': 'A write was answered with success and changed nothing.',
  records: 'A list shows a record that it must not show, or lacks one.',
  missing: 'A header or a member is not there.',
  value: 'A member, a header or a count has another value than it has to have.',
});

const WORDS = of('word', {
  witness:
    'Counts of what a check saw that make its pass count, such as records that a filter matched and excluded. Without a witness nothing passes.',
  baseline: 'File of expected failures, each with a reason, an owner and a date. Other failures cause exit 1.',
  'really tested': 'Operations, filters and sorts with a result that has a witness, of all there are.',
  'not proven': 'Comparison: unclear or not tested, where the other run passed or failed.',
  'pairs of conditions':
    'Two conditions that came together in a sequence of requests, such as a filter operator and what was written before.',
  'left as found': 'Whether everything that the run wrote is gone again, and was seen to be.',
  'new in the suite':
    'A failure of a requirement that the set of the baseline did not have. Exit 0 until --update-baseline takes it up.',
  stale: 'An entry of a baseline whose failure passes now: take it out.',
  cause: 'Failures that have one fault in common, named by requirement, operation, kind and subject.',
  dialect: 'What the target does where the specification is silent: learned by a run, shown, and not judged.',
  measurement:
    'One load: a profile, an operation and a rate, for a time. Each has a verdict. The records call it a cell.',
  cell: 'A measurement of a load.',
  profile: 'Size of a deployment as the limits table of the specification lists it: 60k, 200k, 500k sessions.',
  depth: 'How much is asked and for how long: quick, normal, deep (--depth).',
  pool: 'Endpoints that ANC may touch (--endpoints). Only you name them.',
  lag: 'How late the generator was: actual start of a request minus its intended start.',
  service: 'Service time: from sending the request to the last byte of the answer.',
  response:
    'Response time: from the intended start of an arrival to the last byte of the answer: service time plus lag.',
  ...Object.fromEntries(
    ['p50', 'p90', 'p95', 'p99'].map((name) => [name, `Percentile: ${name.slice(1)} of 100 took no longer than this.`]),
  ),
  latency: 'Service time or response time.',
  difference: 'Of a comparison: after, less before.',
  interval: 'The difference lies in it, in 95 of 100 comparisons.',
  'smallest detectable': 'A difference smaller than this could not have been told from chance.',
  'not served': 'More arrivals were dropped or failed than the percentile leaves room for.',
  'few samples': 'Too few arrivals lie above a percentile for it to say anything.',
  stall: 'A time in which the target answered nothing.',
  resource: 'A family of the specification, such as sgt.',
  rate: 'Arrivals per second that a load offers, or that a search tried.',
  search: 'The search for the highest rate that holds: steps of seconds, then a long run at what is claimed.',
  held: 'Highest rate that a search claims: confirmed by a long run, or suggested by short steps.',
  'first that did not': 'Lowest rate that a search tried and that did not hold.',
  'limited by':
    'What kept a search from a higher rate: the target, the generator, or the highest rate that was allowed.',
  connection: 'Transactions that can be under way at one time.',
  verdict: 'What a check, a cell or a run came to: passed, failed, unclear, or not tested.',
  dropped: 'An arrival that found every connection busy, and was never sent.',
  offered: 'Arrivals sent per second.',
  achieved: 'Successes per second.',
  headroom: 'Highest rate that held, divided by the rate of the specification.',
  knee: 'The rate beyond which a target no longer holds the offered load.',
  'ramp-up': 'Unmeasured rise to the rate before a cell (--ramp).',
  'steady state': 'The time at the full rate after the ramp-up.',
  'warm-up': 'First seconds of the steady state, which no figure includes.',
  'read-back': 'Reading endpoints during and after a load, to prove that successes had their effect.',
  segment: 'One of several runners of a cluster that share the arrivals of a cell (--segments).',
  journal: 'File that lists every write before it is sent. `ers-harness sweep` removes what it lists.',
  residue: 'What a run created and could not remove: exit 5; the report lists the commands that remove it.',
  mutant: 'A deployment with a seeded defect, to test the checks themselves.',
  variation: 'Behavior that the specification allows, so no check may fail for it.',
  'null target': 'A target that answers without doing anything: no check may pass on it.',
});

export const GLOSSARY: readonly Entry[] = [...RULES, ...VERDICTS, ...CHOICES, ...KINDS, ...WORDS];
