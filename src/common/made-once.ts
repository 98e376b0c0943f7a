/** Gives what `make` makes, which it is asked for when that is first needed. */
export const madeOnce = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
