import { expect } from 'vitest'
import { get } from './fixture.ts'
import { is, leadsTo, type Row, row, setsSession } from './row.ts'

async function comeBack(query: (state: string) => string, next = '') {
  const start = await get(`/auth/oauth/github${next && `?next=${encodeURIComponent(next)}`}`)
  const state = start.cookies.find(({ name }) => name === 'oauth_state')?.value ?? ''
  return get(`/auth/oauth/github/callback?${query(state)}`, { cookie: `oauth_state=${state}` })
}

/** Signing in elsewhere. */
export const authProviders: readonly Row[] = [
  row(
    'GET /auth/oauth/{provider}',
    'none',
    is(
      302,
      'a provider',
      () => get('/auth/oauth/github?next=/settings'),
      undefined,
      (answer) => {
        const [state, next] = ['oauth_state', 'oauth_next'].map((name) =>
          answer.cookies.find((each) => each.name === name),
        )
        expect(answer.headers.location).toBe(`https://github.example/authorize?state=${state?.value}`)
        expect(next).toBeDefined()
      },
    ),
    is(500, 'a provider that does not answer', () => get('/auth/oauth/oidc')),
    is(501, 'a provider that is not configured', () => get('/auth/oauth/google')),
  ),
  row(
    'GET /auth/oauth/{provider}/callback',
    'none',
    is(
      302,
      'success',
      () => comeBack((state) => `code=x&state=${state}`),
      undefined,
      (answer) => {
        leadsTo('/dashboard')(answer)
        setsSession(answer)
      },
    ),
    is(
      302,
      'success with a place to go',
      () => comeBack((state) => `code=x&state=${state}`, '/settings'),
      undefined,
      leadsTo('/settings'),
    ),
    is(
      302,
      'an unknown state',
      () => get('/auth/oauth/github/callback?code=x&state=y'),
      undefined,
      leadsTo('/login?oauth_error=invalid_state'),
    ),
    is(
      302,
      'no code',
      () => comeBack((state) => `state=${state}`),
      undefined,
      leadsTo('/login?oauth_error=missing_code'),
    ),
    is(
      302,
      'the error of the provider',
      () => comeBack((state) => `error=access_denied&error_description=No&state=${state}`),
      undefined,
      leadsTo('/login?oauth_error=access_denied'),
    ),
  ),
]
