import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ScreenTexts } from '../../../../framework/module/screen.ts'
import { visitorOf } from '../../../../http/html/visits.ts'
import { sessionRequired } from '../../../../kernel/errors.ts'
import { type Caller, isLimited } from '../../../../model/caller.ts'

/** Reads a form, of whose boxes several can have one name. */
export const readTexts = (sent: URLSearchParams): ScreenTexts =>
  Object.fromEntries(
    [...new Set(sent.keys())].map((name) => {
      const values = sent.getAll(name)
      const [first = ''] = values
      return [name, values.length > 1 ? values : first]
    }),
  )

/** The texts of a form whose body {@link readTexts} read. */
export const textsIn = (body: unknown): ScreenTexts =>
  // Another media type has another parser, whose values are not texts of a form.
  typeof body === 'object' && body !== null
    ? Object.fromEntries(
        Object.entries(body).filter(
          (entry): entry is [string, string | string[]] =>
            typeof entry[1] === 'string' ||
            (Array.isArray(entry[1]) && entry[1].every((value) => typeof value === 'string')),
        ),
      )
    : {}

/** Lets no page of another origin read a response: these pages are for people who opened them. */
export function readableByNone(reply: FastifyReply): void {
  for (const name of ['origin', 'credentials']) reply.removeHeader(`access-control-allow-${name}`)
  reply.removeHeader('access-control-expose-headers')
}

/**
 * Returns the person of a page; undefined for visitors who are not signed in. Programs decide nothing.
 *
 * @throws `session_required` for API keys and app tokens
 */
export function personOf(request: FastifyRequest): Caller | undefined {
  const caller = visitorOf(request)
  if (caller && isLimited(caller)) throw sessionRequired()
  return caller
}
