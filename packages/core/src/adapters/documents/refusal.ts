/** Why the text of a document was not extracted. */
export type RefusalReason = 'broken' | 'protected' | 'too_complex' | 'no_library'

/** Ends a conversion with a message for the requester. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

const codeOf = (error: unknown) => (error as { readonly code?: unknown } | null)?.code

/**
 * Converts an error of a library to a refusal. The message of the library is not shown, because it describes internals.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (codeOf(error) === 'ERR_MODULE_NOT_FOUND') {
    return new Refusal('no_library', 'This service cannot read documents of this type', error)
  }
  // The stack is too deep, or a text or list too long, for the engine.
  if (error instanceof RangeError) return new Refusal('too_complex', 'The document is too complex to be read', error)
  return new Refusal('broken', 'The document is broken', error)
}
