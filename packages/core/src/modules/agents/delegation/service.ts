import type { Clock } from '../../../kernel/clock.ts'
import type { CredentialVerifier, ResolveDid } from '../../../ports/credential-verifier.ts'
import { credentialsNotConfigured } from './errors.ts'
import { type DelegationError, type DelegationUse, delegationErrors } from './rules.ts'

export interface DelegationDeps {
  readonly clock: Clock
  readonly credentials: Pick<CredentialVerifier, 'verifyCredential'> | undefined
  readonly resolve: ResolveDid
}

export const createDelegationService = ({ clock, credentials, resolve }: DelegationDeps) => ({
  /**
   * Verifies the signature and dates of a delegation, and returns every reason why it does not permit a use; none when it
   * does.
   *
   * @throws `credentials_not_configured`
   */
  async verify(jwt: string, use: DelegationUse): Promise<readonly DelegationError[]> {
    if (!credentials) throw credentialsNotConfigured()
    // The library throws for every credential that is not valid.
    const credential = await credentials.verifyCredential(jwt, resolve).catch(() => undefined)
    return credential ? delegationErrors(credential, use, clock()) : ['invalid_credential']
  },
})

/** Delegations of agents. */
export type DelegationService = ReturnType<typeof createDelegationService>
