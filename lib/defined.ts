type Optional<T> = { [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined> };
type Required<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] };

/** The members that have a value, instead of spreading a conditional object: `{ id, ...defined({ name, ca: options.ca }) }`. */
export function defined<T extends object>(members: T): Optional<T> & Required<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Optional<T> &
    Required<T>;
}
