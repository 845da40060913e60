import { type EepOptions, eep, serverOptions } from '@eep/core'
import Fastify from 'fastify'

/** The authentication of the host. */
export interface Sessions {
  find(cookie: string | undefined): Promise<{ userId: string; email: string; name: string; staff: boolean } | undefined>
}

/** A host whose users own profiles without a second registration or sign-in. */
export async function createHost(sessions: Sessions, options: Pick<EepOptions, 'storage' | 'secret'>) {
  const app = Fastify({ ...serverOptions })
  await app.register(eep, {
    prefix: '/profiles-api',
    publicUrl: 'https://app.example.com/profiles-api',
    ...options,
    auth: {
      // #region identity
      hostAuth: {
        async authenticate({ headers }) {
          const session = await sessions.find(headers.cookie)
          if (!session) return undefined
          const { userId: externalId, email, name: fullName, staff: isAdmin } = session
          return { externalId, email, emailVerified: true, fullName, isAdmin }
        },
      },
      // #endregion
    },
  })
  return app
}
