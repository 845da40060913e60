/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** An object of JSON values. */
export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * Casts an object of JSON values to {@link JsonObject}. Interfaces have no index signature, so TypeScript does not accept
 * them as one. Serialization omits properties that are `undefined`.
 */
export const asJson = (value: object): JsonObject => value as JsonObject
