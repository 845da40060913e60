import { type EepOptions, eep, serverOptions } from '@eep/core'
import { githubProvider, googleProvider, oauth, oidcProvider } from '@eep/core/oauth'
import { evmWallets } from '@eep/payments-x402'
import Fastify from 'fastify'

/** The client credentials that a provider issued to the host. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string
}

type Clients = Readonly<Record<'github' | 'google' | 'campus', Client>>

/** A host whose users sign in with accounts of other providers, and link their wallets. */
export async function createHost({ github, google, campus }: Clients, options: Pick<EepOptions, 'storage' | 'secret'>) {
  const app = Fastify({ ...serverOptions })
  await app.register(eep, {
    publicUrl: 'https://api.example.com',
    frontendUrl: 'https://www.example.com',
    ...options,
    // #region providers
    modules: [
      oauth({
        providers: [
          githubProvider(github),
          googleProvider(google),
          oidcProvider({ name: 'campus', issuer: 'https://id.campus.example', ...campus }),
        ],
      }),
    ],
    // #endregion
    auth: {
      // #region wallets
      walletVerifier: evmWallets({
        chains: [
          { chainId: 8453, rpcUrl: 'https://mainnet.base.org' },
          // Without access to the chain, only wallets with a plain key can be linked.
          { chainId: 1 },
        ],
      }),
      // #endregion
    },
  })
  return app
}
