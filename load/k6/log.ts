const MAX_WARNINGS = 20;
const MAX_LINE = 8192;
const MAX_TEXT = 300;

type Line = { readonly [Key in 'level' | 'msg' | 'error' | 'source']?: string };

function parse(line: string): Line {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // A Go panic or a linker's message is no JSON, and matters all the more.
  }
  return { level: 'error', msg: line };
}

/** Collects what k6 says on its standard error, as JSON lines. A failing target gives one for each request: they are only counted. */
export function createLog() {
  const seen = new Map<string, number>();
  let carry = '';
  let exceptions = 0;
  let requestError: string | undefined;
  const line = (text: string) => {
    if (text.trim() === '') return;
    const { level = 'info', msg = '', error = '', source = '' } = parse(text);
    if (msg === 'Request Failed') {
      requestError ??= String(error).slice(0, MAX_TEXT);
      return;
    }
    if (level === 'error' && source === 'stacktrace') exceptions += 1;
    if (level === 'info' || level === 'debug') return;
    const words = `${level}: ${[msg, error].filter((part) => part !== '').join(': ')}`.slice(0, MAX_TEXT);
    if (seen.has(words) || seen.size < MAX_WARNINGS) seen.set(words, (seen.get(words) ?? 0) + 1);
  };
  return {
    push(chunk: string) {
      const lines = (carry + chunk).split('\n');
      carry = (lines.pop() ?? '').slice(0, MAX_LINE);
      for (const text of lines) line(text);
    },
    end() {
      line(carry);
      carry = '';
    },
    exceptions: () => exceptions,
    /** Distinct messages beside those of failed requests, first few, each with how often it came. */
    warnings: () => [...seen].map(([words, count]) => (count === 1 ? words : `${words} (${count} times)`)),
    requestError: () => requestError,
  };
}
