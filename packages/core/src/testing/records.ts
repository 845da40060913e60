export {
  newAppConnection,
  newAppDecision,
  newAppGrant,
  newAppToken,
  newDeviceRequest,
  newSpend,
} from './records/apps.ts'
export { keeping, newJob, newUpload, uploaded } from './records/files.ts'
export { freshName } from './records/fresh.ts'
export { newMessage } from './records/messages.ts'
export {
  newGrant,
  newListing,
  newMove,
  newNegotiation,
  newPayment,
  newPurchase,
  newReceipt,
  newReview,
  newSettlement,
} from './records/money.ts'
export {
  newAccount,
  newApiKey,
  newAttempt,
  newIdentity,
  newPasskey,
  newPayout,
  newSession,
  newToken,
  newWallet,
} from './records/people.ts'
export {
  newCategory,
  newEvent,
  newInvitation,
  newMember,
  newPage,
  newProfile,
  newTransfer,
} from './records/profiles.ts'
export { newWebhook } from './records/webhooks.ts'
export {
  newDocument,
  newWorkspace,
  newWorkspaceActivity,
  newWorkspaceInvitation,
  newWorkspaceMember,
} from './records/workspaces.ts'
