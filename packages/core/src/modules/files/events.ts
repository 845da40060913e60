interface FileFacts {
  readonly fileId: number
}

/** They are about the profile that has the file. */
export interface FileEvents {
  'files.file_stored': FileFacts & { readonly size: number }
  'files.file_deleted': FileFacts
}
