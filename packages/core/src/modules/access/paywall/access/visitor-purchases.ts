import type { FastifyRequest } from 'fastify'
import { isEepError } from '../../../../kernel/errors.ts'
import type { ActivePattern } from '../../../../ports/storage/entitlements.ts'
import { storageUnavailable } from '../../../../ports/storage/storage.ts'
import type { Paywall } from '../service.ts'
import { provenPayers } from './payer-cookies.ts'
import { callerPayers } from './visitor.ts'

/**
 * Returns the patterns that a visitor bought at a profile or was granted, and their ends: those of its account, and those of the payers
 * whose cookies it proves. A payer that it only names is not looked up. None while the storage cannot be reached.
 */
export async function purchasesOfVisitor(
  request: FastifyRequest,
  paywall: Pick<Paywall, 'heldBy' | 'isProven'>,
  profileId: number,
): Promise<readonly ActivePattern[]> {
  const payers = [...provenPayers(request, paywall), ...callerPayers(request.eep.caller)]
  if (payers.length === 0) return []
  try {
    return await paywall.heldBy(profileId, payers)
  } catch (error) {
    if (isEepError(error) && error.code === storageUnavailable.code) return []
    throw error
  }
}
