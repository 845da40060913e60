export { type Buyer, buyerOf, isOfTeam, type Participant } from './participant.ts'
export { participantOf } from './requester.ts'
