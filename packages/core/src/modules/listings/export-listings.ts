import { jsonMember, type ProfileExporter } from '../../module/export-member.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import { serializeListing } from './schemas.ts'

/** The services that a profile lists for sale. */
export const createListingExporter = (read: Readers<'listings'>): ProfileExporter =>
  async function* ({ profile }) {
    const listings = await read.listings.listOfProfile(profile.id)
    yield jsonMember('services.json', listings.map(serializeListing))
  }
