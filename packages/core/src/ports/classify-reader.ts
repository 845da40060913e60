import type { BotRequest } from '../model/bot.ts'

/** What the host knows of the reader of a request. */
export interface ReaderClass {
  /** Whether an edge of the host takes the reader for a person. */
  readonly person?: boolean | undefined
  /** The program that sent the request, if an edge of the host verified its signature. */
  readonly bot?: { readonly origin: string } | undefined
}

/**
 * Classifies the reader of a request by what the host knows, for gates with `x-audience`. It is called only for resources of
 * such gates, once for each request. An error is logged and counts as knowing nothing.
 */
export type ClassifyReader = (request: BotRequest) => ReaderClass | undefined | Promise<ReaderClass | undefined>
