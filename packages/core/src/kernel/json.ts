/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}
