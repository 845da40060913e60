export { didDocumentSchema, methodsOf } from './did-document.ts'
export { createDidResolver, type DidResolver } from './did-resolver.ts'
export { type Agent, createAgentService } from './service.ts'
export { isSigned, type SignedRequest } from './signature.ts'
