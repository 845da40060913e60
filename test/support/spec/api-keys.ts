import { expect } from 'vitest'
import { newKey } from '../api-keys.ts'
import { fixture, get, post, remove, UNKNOWN_ID } from './fixture.ts'
import { count, is, list, moment, type Row, row, text } from './row.ts'

const plaintext = expect.stringMatching(/^eep_[0-9A-Za-z]{49}$/)
export const apiKeys: readonly Row[] = [
  row(
    'POST /api-keys',
    'key',
    is(201, 'a name', (as) => post('/api-keys', as, { name: 'Key', scopes: ['read:profiles'] }), {
      id: count,
      key: plaintext,
      masked: text,
      name: 'Key',
      scopes: ['read:profiles'],
      prefix: text,
      profile_id: null,
      expires_at: null,
      created_at: moment,
    }),
    is(400, 'no name', (as) => post('/api-keys', as, {})),
    is(401, 'an unknown key', () => post('/api-keys', { 'x-api-key': `eep_${'x'.repeat(49)}` }, { name: 'Key' })),
  ),
  row(
    'GET /api-keys',
    'key',
    is(
      200,
      'the keys, masked',
      (as) => get('/api-keys', as),
      list({ id: count, masked: text, usage: expect.objectContaining({ total: count }) }),
      (answer) => {
        expect(answer.body).not.toMatch(/eep_[0-9A-Za-z]{49}/)
      },
    ),
  ),
  row(
    'DELETE /api-keys/{id}',
    'key',
    is(200, 'a key, immediately', async (as) => {
      const key = await newKey(fixture.app, { ...as }, { scopes: ['read:profiles'] })
      const answer = await remove(`/api-keys/${key.id}`, as)
      expect((await get('/auth/me', key.headers)).statusCode).toBe(401)
      return answer
    }),
    is(404, 'an unknown key', (as) => remove(`/api-keys/${UNKNOWN_ID}`, as)),
  ),
  row(
    'POST /api-keys/{id}/regenerate',
    'key',
    is(
      200,
      'a key',
      async (as) => {
        const fields = { scopes: ['read:profiles'], expires_at: '2099-01-01T00:00:00.000Z' }
        const old = await newKey(fixture.app, { ...as }, fields)
        const answer = await post(`/api-keys/${old.id}/regenerate`, as)
        expect(answer.json()).toMatchObject(fields)
        expect((await get('/auth/me', old.headers)).statusCode).toBe(401)
        expect((await get('/auth/me', { 'x-api-key': answer.json().key })).statusCode).toBe(200)
        return answer
      },
      expect.objectContaining({ key: plaintext }),
    ),
    is(404, 'an unknown key', (as) => post(`/api-keys/${UNKNOWN_ID}/regenerate`, as)),
  ),
]
