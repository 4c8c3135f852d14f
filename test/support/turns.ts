/** Lets whatever is ready to go on do so, for so many turns of the event loop. No timer needs to be due for that. */
export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i += 1) await new Promise(setImmediate);
}

/** What a promise is, once whatever is ready has gone on. */
export async function stateOf(promise: Promise<unknown>): Promise<'pending' | 'fulfilled' | 'rejected'> {
  let state: 'pending' | 'fulfilled' | 'rejected' = 'pending';
  promise.then(
    () => {
      state = 'fulfilled';
    },
    () => {
      state = 'rejected';
    },
  );
  await turns();
  return state;
}

/** The error that a promise is rejected with. */
export async function rejectionOf(promise: Promise<unknown>): Promise<any> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It was not rejected');
}
