import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { sessionCookieOf } from '../accounts.ts'
import { PUBLIC_URL } from '../app.ts'

export type Headers = Readonly<Record<string, string>>
export type Answer = LightMyRequestResponse
export type Auth = 'none' | 'bearer' | 'key' | 'admin'

/** A request that produces one of the statuses of a row. */
export interface Case {
  readonly status: number
  readonly what: string
  /** `as` signs for the owner: with a session, and on rows that take keys with a key too. */
  readonly ask: (as: Headers) => Promise<Answer>
  /** The body, as far as the row states it; an error has the form of all errors. */
  readonly body?: unknown
  /** What else the row states. */
  readonly also?: ((answer: Answer) => void | Promise<void>) | undefined
}

/** A row of a table of the interface. */
export interface Row {
  readonly route: string
  readonly auth: Auth
  readonly cases: readonly Case[]
}

export const row = (route: string, auth: Auth, ...cases: readonly Case[]): Row => ({ route, auth, cases })
export const is = (status: number, what: string, ask: Case['ask'], body?: unknown, also?: Case['also']): Case => ({
  status,
  what,
  ask,
  body,
  also,
})

export const text = expect.any(String)
export const count = expect.any(Number)
export const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
export const list = (item: object) => ({
  data: expect.arrayContaining([expect.objectContaining(item)]),
  pagination: expect.objectContaining({ total: count, has_more: expect.any(Boolean) }),
})
export const done = { success: true }

export const leadsTo = (path: string) => (answer: Answer) => {
  expect(answer.headers.location).toBe(`${PUBLIC_URL}${path}`)
}
export const codeIs = (code: string) => (answer: Answer) => {
  expect(answer.json().error.code).toBe(code)
}
export const isOf = (type: string) => (answer: Answer) => {
  expect(String(answer.headers['content-type']).split(';')[0]).toBe(type)
}
export const linksTo = (answer: Answer, ...relations: readonly string[]) => {
  for (const relation of relations) expect(answer.headers.link).toContain(`rel="${relation}"`)
}

/** An answer that signs a browser in. */
export const setsSession = (answer: Answer) => {
  expect(sessionCookieOf(answer)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
}
