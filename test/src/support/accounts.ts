import type { FastifyInstance } from 'fastify'

export const PASSWORD = 'Correct horse 7 battery'

/** An account as `/auth/register` answers it. */
export interface SignedUp {
  readonly id: string
  readonly email: string
  readonly username: string
  readonly active_profile_id: number
  readonly profiles: readonly { readonly id: number; readonly profile_type: string; readonly username: string }[]
}

let count = 0

/** Registers an account, under a name of its own unless told. `headers` sign its requests. */
export async function signUp(app: Pick<FastifyInstance, 'inject'>, name = `somebody-${++count}`) {
  const response = await app.inject({
    method: 'POST',
    url: '/auth/register',
    payload: { email: `${name}@example.com`, password: PASSWORD, username: name },
  })
  if (response.statusCode !== 201) throw new Error(`${name} could not sign up: ${response.body}`)
  const { token, user } = response.json<{ token: string; user: SignedUp }>()
  return { token, headers: { authorization: `Bearer ${token}` }, account: user }
}
