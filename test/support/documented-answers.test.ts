import { expect, it } from 'vitest'
import { type Answer, problemOf as problemIn } from './described-service.ts'

const profile: Answer = {
  operationId: 'checkUsername',
  status: 200,
  type: 'application/json',
  json: '{"available":true}',
}
const problemOf = (answer: Partial<Answer>) => problemIn({ ...profile, ...answer })

it('accepts an answer that the OpenAPI document describes', async () => {
  expect(await problemOf({})).toBeUndefined()
  const error = { error: { code: 'rate_limited', message: 'Too many requests' } }
  expect(await problemOf({ status: 429, json: JSON.stringify(error) })).toBeUndefined()
})

it('reports a status that the OpenAPI document lacks', async () => {
  expect(await problemOf({ status: 418 })).toBe(
    'checkUsername sent 418 application/json, and the OpenAPI document has no such status',
  )
})

it('reports a media type that the OpenAPI document lacks', async () => {
  expect(await problemOf({ type: 'text/csv', json: undefined })).toBe(
    'checkUsername sent 200 text/csv, and the OpenAPI document has no such media type for this status',
  )
})

it('reports a body that the OpenAPI document does not describe, of a result and of an error', async () => {
  expect(await problemOf({ json: '{"available":"yes"}' })).toContain('/available must be boolean')
  expect(await problemOf({ json: '{"available":true,"note":""}' })).toContain('must NOT have additional properties')
  expect(await problemOf({ status: 429, json: '{"error":"slow down"}' })).toContain('/error must be object')
})
