package org.einvoice;

import org.einvoice.types.Problem;

/** Why a call has no result. */
public final class EinvoiceException extends RuntimeException {
    private final transient Problem problem;

    EinvoiceException(Problem problem, Throwable cause) {
        super(problem.detail, cause);
        this.problem = problem;
    }

    /** A stable code, such as XML-SYNTAX. */
    public String code() {
        return problem.errorCode;
    }

    /** All that is known of it. */
    public Problem problem() {
        return problem;
    }
}
