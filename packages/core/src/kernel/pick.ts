/**
 * Returns an object with some properties of another one. Editors still show the documentation of the properties.
 *
 * @example
 * pick(accounts, 'register', 'login')
 */
export function pick<Source extends object, Key extends keyof Source>(
  source: Source,
  ...keys: readonly Key[]
): { readonly [Each in Key]: Source[Each] } {
  return Object.fromEntries(keys.map((key) => [key, source[key]])) as Pick<Source, Key>
}
