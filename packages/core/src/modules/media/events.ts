/** They are about the profile that has the file. */
export interface MediaEvents {
  'media.transcript_stored': { readonly fileId: number }
}
