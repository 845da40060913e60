/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** An object of JSON values. */
export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * Returns an object of JSON values as {@link JsonObject}. Interfaces have no index signature, so TypeScript does not see that
 * an object typed by one is JSON. Properties that are `undefined` are left out when it is sent.
 */
export const asJson = (value: object): JsonObject => value as JsonObject
