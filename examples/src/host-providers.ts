import { type EepOptions, eep, serverOptions } from '@eep/core'
import { githubProvider, googleProvider, oidcProvider } from '@eep/core/oauth'
import { evmWallets } from '@eep/payments-x402'
import Fastify from 'fastify'

/** What a provider gave the host when it was registered there. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string
}

type Clients = Readonly<Record<'github' | 'google' | 'campus', Client>>

/** A host whose people sign in with accounts they have elsewhere, and link their wallets. */
export async function createHost({ github, google, campus }: Clients, options: Pick<EepOptions, 'storage' | 'secret'>) {
  const app = Fastify({ ...serverOptions })
  await app.register(eep, {
    publicUrl: 'https://api.example.com',
    frontendUrl: 'https://www.example.com',
    ...options,
    auth: {
      // #region providers
      oauthProviders: [
        githubProvider(github),
        googleProvider(google),
        oidcProvider({ name: 'campus', issuer: 'https://id.campus.example', ...campus }),
      ],
      // #endregion
      // #region wallets
      walletVerifier: evmWallets({
        chains: [
          { chainId: 8453, rpcUrl: 'https://mainnet.base.org' },
          // Without a way to ask the chain, wallets with a plain key only.
          { chainId: 1 },
        ],
      }),
      // #endregion
    },
  })
  return app
}
