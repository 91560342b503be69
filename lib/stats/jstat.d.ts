/** The part of jstat that is used; it has no types of its own. */
declare module 'jstat' {
  const jstat: {
    readonly studentt: {
      readonly inv: (p: number, df: number) => number;
      readonly cdf: (x: number, df: number) => number;
    };
    readonly normal: { readonly inv: (p: number, mean: number, deviation: number) => number };
  };
  export = jstat;
}
