/**
 * Names a module in `requires` and `uses`, and carries the types of the services that it gives. A value without the code of the
 * module, so naming a module does not load it.
 */
export interface ServiceToken<Services extends object = object, Name extends string = string> {
  readonly name: Name
  /** Which services the naming module gets: all of them, or those that `app.eep` has. */
  readonly view: 'all' | 'public'
  /** The line that imports the module, for features of the package. */
  readonly importLine?: string | undefined
  /** Only in types: no token has it. */
  readonly services?: Services
}
