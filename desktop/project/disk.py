"""Why a file could not be written, as one of a few codes that every message knows."""

import errno

NO_SPACE = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
NO_PERMISSION = {errno.EACCES, errno.EPERM, errno.EROFS}
NO_FOLDER = {errno.ENOENT, errno.ENOTDIR}


def write_failure(error: OSError) -> str:
    """Code of a failed write: permission, no_space, not_a_folder, is_a_folder or other.

    >>> write_failure(OSError(errno.ENOSPC, "No space left on device"))
    'no_space'
    """
    if error.errno in NO_PERMISSION:
        return "permission"
    if error.errno in NO_SPACE:
        return "no_space"
    if error.errno in NO_FOLDER:
        return "not_a_folder"
    return "is_a_folder" if error.errno == errno.EISDIR else "other"
